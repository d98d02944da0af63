"""Tests of `models/players`."""
