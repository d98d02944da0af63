"""Plans for the tests: small ones, those of a gameweek, and other ways to solve them."""
