"""Tests of `data/sources`."""
