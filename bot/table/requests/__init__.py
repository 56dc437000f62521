"""Checks that a GM asks for, and messages that several people press."""
