"""Turns and assists."""
