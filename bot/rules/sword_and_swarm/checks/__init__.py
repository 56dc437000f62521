"""Attribute and proficiency tests as commands, and their re-rolls."""
