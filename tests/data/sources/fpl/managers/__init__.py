"""Tests of `data/sources/fpl/managers`."""
