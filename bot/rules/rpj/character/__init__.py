"""Character."""
