"""Opposed rolls: launching them, standing against them, settling them."""
