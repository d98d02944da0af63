"""Tests of `ui/web/answers`."""
