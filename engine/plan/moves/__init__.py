"""What a plan is made of: the state a manager brings, moves of each round, and whether the rulebook allows them."""
