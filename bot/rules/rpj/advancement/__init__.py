"""Advancement: character points, traits, and the GM's changes."""
