"""Seeding: the six archetypes, solved exactly, and what a memory of earlier searches favours."""
