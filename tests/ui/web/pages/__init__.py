"""Tests of `ui/web/pages`."""
