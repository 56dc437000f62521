"""Countdowns."""
