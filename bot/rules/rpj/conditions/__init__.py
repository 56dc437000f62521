"""Conditions: getting them, living with them, getting rid of them."""
