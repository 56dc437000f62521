"""Game parts."""
