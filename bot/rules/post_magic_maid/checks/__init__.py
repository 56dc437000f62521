"""Checks, the actions of a turn, and exact chances."""
