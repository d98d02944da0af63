"""Worlds: all facts of a competition, cut to what was known at a deadline. May look into: schema, naming, storage."""
