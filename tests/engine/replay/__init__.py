"""Tests of `engine/replay`."""
