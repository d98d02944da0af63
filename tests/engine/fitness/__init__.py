"""Tests of `engine/fitness`."""
