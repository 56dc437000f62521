"""Conditions: applying them, their effects over time, and ending them."""
