"""Making a character."""
