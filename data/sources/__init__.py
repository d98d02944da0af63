"""Sources: live feeds and the user's own tables, fetched and parsed. May look into: all of data."""
