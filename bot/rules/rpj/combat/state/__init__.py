"""A fight as it is stored: ground, fighters, cover, suppression."""
