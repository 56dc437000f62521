"""Doing a procedure of a ruleset, free rolls, and countdowns that follow."""
