"""Sessions: their start, their end and their awards."""
