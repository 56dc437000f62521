"""Opposed rolls: make them, defend against them, and settle them."""
