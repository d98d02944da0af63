"""Rank: the field, simulated rounds, chances to hold or to catch up. May look into: board and all before it."""
