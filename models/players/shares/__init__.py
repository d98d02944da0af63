"""Shares: who scores and assists of what a team does. May look into: minutes, counts and below."""
