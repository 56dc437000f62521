"""Requested checks and session hooks."""
