"""Messages that update themselves."""
