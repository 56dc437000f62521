"""Fights, from the state that is stored up to the commands."""
