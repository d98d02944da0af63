"""Tests of `engine/search`."""
