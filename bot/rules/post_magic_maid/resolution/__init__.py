"""Cards, tiers, and the tables of the book."""
