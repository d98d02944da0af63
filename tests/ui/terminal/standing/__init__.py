"""Tests of `ui/terminal/standing`."""
