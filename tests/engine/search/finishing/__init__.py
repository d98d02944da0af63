"""Tests of `engine/search/finishing`."""
