"""Season: whole seasons played blind, and where they would have placed. May look into: replay, plan and all below."""
