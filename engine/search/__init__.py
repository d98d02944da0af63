"""Search: seed, breed, repair, climb, finish; `run.py` tells it in order. May look into: rules to fitness."""
