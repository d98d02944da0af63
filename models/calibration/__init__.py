"""Calibration: forecasts walked forward and held against what happened, and the fits of what players do."""
