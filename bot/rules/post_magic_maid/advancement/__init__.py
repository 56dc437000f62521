"""Advancement."""
