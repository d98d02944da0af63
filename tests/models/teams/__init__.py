"""Tests of `models/teams`."""
