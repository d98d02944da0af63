"""Competition: groups, bracket, the tournament simulated, difficulty of fixtures. May look into: teams."""
