"""Tests of `data/sources/own`."""
