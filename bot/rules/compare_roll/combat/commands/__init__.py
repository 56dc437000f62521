"""Attacks, defenses, turns, the board."""
