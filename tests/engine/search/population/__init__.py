"""Tests of `engine/search/population`."""
