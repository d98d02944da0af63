"""Worlds on the command line: what is known, imported and fetched live."""
