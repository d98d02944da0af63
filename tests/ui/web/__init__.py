"""Tests of `ui/web`."""
