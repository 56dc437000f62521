"""What people press and type in a fight, and the board."""
