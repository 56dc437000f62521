"""Magic, the raised dead, reserves and prepared actions."""
