"""Requested checks, and shared prompts that several people press."""
