"""The state of a fight: turns, distances and the ground."""
