"""Tests of `models/armband`."""
