"""Live feeds and user tables: each source fetches (I/O) and parses (pure) into a `World`."""
