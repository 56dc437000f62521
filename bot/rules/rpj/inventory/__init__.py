"""Inventory: what characters own, where each thing is, and what they do with it."""
