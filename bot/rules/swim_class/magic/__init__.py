"""Magic, the raised dead, and what is held back for later."""
