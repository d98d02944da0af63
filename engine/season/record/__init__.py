"""Record: what a season came to, beside real managers, and the records that ship. May look into: season."""
