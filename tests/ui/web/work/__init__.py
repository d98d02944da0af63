"""Tests of `ui/web/work`."""
