"""Objectives of tests: specs, standard forms, and the fitness written plainly a second time."""
