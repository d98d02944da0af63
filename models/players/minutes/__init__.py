"""Minutes: who plays, and how long, now and in later rounds. May look into: places of players and below."""
