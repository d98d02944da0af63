"""Players: minutes, shares of goals, every scoring line, point distributions. May look into: teams, competition."""
