"""Checks of skills and attributes, and what can be done once one was rolled."""
