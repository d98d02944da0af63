"""Names: how players are spelt, and whom a written row means. May look into: errors."""
