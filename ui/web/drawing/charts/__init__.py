"""Charts: searches, frontiers, pairs of plans, benches and distributions, drawn by Altair."""
