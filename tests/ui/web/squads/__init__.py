"""Tests of `ui/web/squads`."""
