"""Competition: groups, bracket, the tournament simulated, the risk of rotation. May look into: teams."""
