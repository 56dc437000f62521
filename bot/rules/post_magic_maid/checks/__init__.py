"""The check, the actions of a turn, exact chances."""
