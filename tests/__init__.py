"""Tests, one file per module in the same rooms, read as rules."""
