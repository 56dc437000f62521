"""Growing: character points, traits, what the GM changes."""
