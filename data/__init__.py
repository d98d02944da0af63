"""What is known: rules, competitions, live sources and the user's own tables."""
