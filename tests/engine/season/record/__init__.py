"""Tests of `engine/season/record`."""
