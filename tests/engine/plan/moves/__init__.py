"""Tests of `engine/plan/moves`."""
