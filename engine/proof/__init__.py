"""Proof: bounds on the best squad of a standard form, for the gap of an answer. May look into: rules, fitness."""
