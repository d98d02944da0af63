"""Rounds: plans over the weeks to come as cards, timeline, ticker and table. Pure HTML."""
