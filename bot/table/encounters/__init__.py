"""Fights and their boards."""
