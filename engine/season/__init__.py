"""Season: whole seasons played blind, and where they would have placed. May look into: plan, rank and all below."""
