"""Attacks, turns, and any skill against any other."""
