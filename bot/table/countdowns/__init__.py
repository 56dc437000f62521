"""What people do with countdowns."""
