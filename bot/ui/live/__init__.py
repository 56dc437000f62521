"""Messages that follow what changes."""
