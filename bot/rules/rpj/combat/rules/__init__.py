"""The rules of a fight: initiative, moves, attacks, defenses, grapples, ammunition."""
