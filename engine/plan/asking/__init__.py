"""Asking: what a manager wishes of his plan, read into its locks, and which wishes conflict."""
