"""The shop, belongings, and crafting."""
