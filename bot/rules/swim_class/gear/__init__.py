"""The shop, gear and crafting."""
