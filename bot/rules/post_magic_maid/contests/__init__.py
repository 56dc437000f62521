"""Contests, own checks and requested checks."""
