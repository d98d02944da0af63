"""Importers: fact tables on disk become a world in our own schema."""
