"""SquadBench: ways to search raced on the same problems. May look into: search, proof and all before them."""
