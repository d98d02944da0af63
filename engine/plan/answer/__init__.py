"""Answer of a plan: cards of its rounds, table, bound, text and files. May look into: fitness and moves of a plan."""
