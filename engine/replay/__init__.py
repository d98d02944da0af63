"""Replay: rounds that were played, picked again with what was known. May look into: rank and all before it."""
