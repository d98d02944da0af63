"""Pricing: the relaxed programme, its shadow prices, and the bound they give. May look into: frame, problem, rounds."""
