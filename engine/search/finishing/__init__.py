"""Finishing: the elite polished on the exact fitness; local search, not evolution."""
