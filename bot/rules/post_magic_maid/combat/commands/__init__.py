"""Attacks, defenses, Blitz, initiative, the board."""
