"""Tests of `ui/terminal/worlds`."""
