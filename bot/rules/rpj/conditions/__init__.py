"""Conditions: what they are, and what becomes of those who suffer them."""
