"""Tests, one file per module, read as rules."""
