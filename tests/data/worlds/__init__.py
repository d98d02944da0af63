"""Tests of `data/worlds`."""
