"""Tests of `engine/language`."""
