"""Plans on the command line: what is asked of them over rounds, and how they are printed."""
