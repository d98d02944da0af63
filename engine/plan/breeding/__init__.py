"""Breeding of plans: intentions carried out as legal plans, crossover, mutation, repair, lineage, population."""
