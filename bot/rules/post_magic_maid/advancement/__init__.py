"""Level-ups, advances, passive abilities."""
