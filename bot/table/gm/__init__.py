"""What only a GM does."""
