"""Tests of `ui/terminal`."""
