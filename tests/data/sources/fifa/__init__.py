"""Tests of `data/sources/fifa`."""
