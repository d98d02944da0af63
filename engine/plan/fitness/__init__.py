"""Fitness of plans: rounds as squads are seen in each, values by role, what keeping is worth, the table that sums."""
