"""Tests of `data/importing`."""
