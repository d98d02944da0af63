"""Fitness: objective θ, terms, decomposition, standard form. May look into: rules, lineup, language."""
