"""Cards, tiers and the book's tables."""
