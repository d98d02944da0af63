"""Tests of `engine/search/climbing`."""
