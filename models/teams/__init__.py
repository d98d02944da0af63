"""Teams: ratings, Elo, and the grid of goals of a match. May look into: data."""
