"""Work: searches, simulations and refreshes that run beside the page."""
