"""Mass combat: two sides of many, told by markers."""
