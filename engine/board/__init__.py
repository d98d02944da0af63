"""Board: options with reasons, comparison, questions, export, squads read in. May look into: all before it."""
