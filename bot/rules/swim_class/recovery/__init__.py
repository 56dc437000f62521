"""Dying, healing and resting."""
