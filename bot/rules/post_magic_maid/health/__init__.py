"""Taking wounds, and healing."""
