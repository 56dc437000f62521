"""Use cases that only a GM may use."""
