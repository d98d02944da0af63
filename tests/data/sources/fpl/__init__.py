"""Tests of `data/sources/fpl`."""
