"""Commands of a fight: attacks, opposed skills, turns and the board."""
