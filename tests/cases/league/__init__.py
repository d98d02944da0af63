"""Leagues for the tests: real managers, live feeds and decisions."""
