"""Tests of `ui/web/drawing/charts`."""
