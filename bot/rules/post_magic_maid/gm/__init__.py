"""Commands for the GM only."""
