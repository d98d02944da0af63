"""Tests of `engine/board`."""
