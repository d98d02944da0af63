"""Standings on the command line: a squad against a field or rivals, a mini-league to its last round."""
