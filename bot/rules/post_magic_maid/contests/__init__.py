"""Contests, and checks that the GM calls for."""
