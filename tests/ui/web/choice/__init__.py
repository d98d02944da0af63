"""Tests of `ui/web/choice`."""
