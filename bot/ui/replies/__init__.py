"""What people read, as replies."""
