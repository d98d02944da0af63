"""Benchmarks: what a user waits for, measured; run by `make bench`."""
