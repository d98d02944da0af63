"""Tests of `engine/lineup`."""
