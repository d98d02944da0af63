"""Plans over rounds on the page."""
