"""Tests of `models/crowd`."""
