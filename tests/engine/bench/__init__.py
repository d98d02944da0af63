"""Tests of `engine/bench`."""
