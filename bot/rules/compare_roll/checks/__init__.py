"""Checks that stay open for High, Death's Door, rests and gear."""
