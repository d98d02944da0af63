"""Tests of `models/competition`."""
