"""Plans over rounds on the page: what one changes in them, drafts of them, and two side by side."""
