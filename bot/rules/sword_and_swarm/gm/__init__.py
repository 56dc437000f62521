"""What only the GM does, and the campaign's lists."""
