"""Crowd: ownership as exposure (EO), template, differentials, where the field errs. May look into: players."""
