"""Armband: captaincy, vice and the ladder by optimal stopping, and its rule in words. May look into: players."""
