"""Together: covariance of points, rounds dealt from one score, clean-sheet stacks. May look into: players."""
