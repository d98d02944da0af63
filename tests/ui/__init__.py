"""Tests of `ui`."""
