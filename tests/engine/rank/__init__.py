"""Tests of `engine/rank`."""
