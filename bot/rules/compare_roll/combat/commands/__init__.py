"""Commands of a fight: attacks, defenses, turns and the board."""
