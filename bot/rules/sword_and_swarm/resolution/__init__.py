"""Attribute tests, proficiency tests, and the tables of the book."""
