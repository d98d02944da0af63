"""Advice: options that differ, what shaken forecasts say, boosters now or later, why not, and what news changed."""
