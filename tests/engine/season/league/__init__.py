"""Tests of `engine/season/league`."""
