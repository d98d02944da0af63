"""Tests of `ui/web/drawing`."""
