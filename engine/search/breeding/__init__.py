"""Breeding: selection, crossover, mutation, mending, diversity: the evolutionary part of the search."""
