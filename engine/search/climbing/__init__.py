"""Climbing: local search on the standard form by exchanges of men; not evolution."""
