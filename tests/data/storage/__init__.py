"""Tests of `data/storage`."""
