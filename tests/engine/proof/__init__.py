"""Tests of `engine/proof`."""
