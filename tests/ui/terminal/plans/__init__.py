"""Tests of `ui/terminal/plans`."""
