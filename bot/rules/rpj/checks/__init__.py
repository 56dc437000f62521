"""Skill and attribute checks, and what can be done after the roll."""
