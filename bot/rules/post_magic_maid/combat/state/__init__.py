"""A fight as it is stored, and the cards that order it."""
