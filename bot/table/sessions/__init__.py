"""Sessions: how they begin and end."""
