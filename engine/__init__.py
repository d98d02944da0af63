"""What to choose: objectives, search and the command line."""
