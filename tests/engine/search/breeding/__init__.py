"""Tests of `engine/search/breeding`."""
