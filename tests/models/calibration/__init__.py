"""Tests of `models/calibration`."""
