"""Tests of `engine/plan/fitness`."""
