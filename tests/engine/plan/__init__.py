"""Tests of `engine/plan`."""
