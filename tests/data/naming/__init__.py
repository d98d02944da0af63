"""Tests of `data/naming`."""
