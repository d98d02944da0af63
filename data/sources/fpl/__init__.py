"""Fantasy Premier League's API: `source` for the game, `entries` for managers and leagues."""
