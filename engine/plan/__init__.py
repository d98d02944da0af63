"""Plan: transfers, chips and squads over several rounds. May look into: rank and all before it."""
