"""Tests of `models/together`."""
