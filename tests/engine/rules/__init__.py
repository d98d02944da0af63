"""Tests of `engine/rules`."""
