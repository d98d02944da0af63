"""Fantasy Premier League's API: `source` for the game, `managers` for who plays it and his leagues."""
