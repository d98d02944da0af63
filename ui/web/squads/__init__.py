"""Squads that a visitor brings: his own and his rivals', pasted, uploaded or imported."""
