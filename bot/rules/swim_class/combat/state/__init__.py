"""A fight as it is stored: turns, distances, what lies on the ground."""
