"""Actions on countdowns."""
