"""Records on the terminal: commands that measure and look back. May look into: console and options beside it."""
