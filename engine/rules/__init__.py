"""Rules: legality, demands and their conflicts, repair, the linear optimum by PuLP. May look into: models."""
