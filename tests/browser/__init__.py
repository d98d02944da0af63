"""The real page in a real Chromium."""
