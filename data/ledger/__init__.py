"""Ledger: decisions before each deadline, kept in one crash-safe file. May look into: worlds, storage and below."""
