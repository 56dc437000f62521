"""Automatic actions that run when their time comes."""
