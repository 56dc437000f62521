"""Module."""
