"""What is known: rules of the games, worlds of facts, live sources, the user's own tables. Looks into nothing else."""
