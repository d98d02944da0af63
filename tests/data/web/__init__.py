"""Tests of `data/web`."""
