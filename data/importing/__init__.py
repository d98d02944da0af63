"""Importing: fact tables on disk become a world in our own schema. May look into: rules, schema, worlds."""
