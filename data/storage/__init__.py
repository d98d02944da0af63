"""Files: replaced whole or not at all, the user's own folder, strict JSON. May look into: errors."""
