"""Tests of `engine/search/seeding`."""
