"""Checks that lie open for a while, Death's Door, rests, gear."""
