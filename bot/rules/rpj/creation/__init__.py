"""Character creation."""
