"""The commands and buttons of fights, and the board."""
