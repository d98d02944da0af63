"""Pages: one module with `show()` each, listed in `navigation`."""
