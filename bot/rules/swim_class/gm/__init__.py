"""What only the GM does."""
