"""Facts of tests: tournaments and seasons as folders of tables, real seasons, and points paid a second time."""
