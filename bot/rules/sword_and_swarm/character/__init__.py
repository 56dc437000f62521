"""A character: the sheet, equipment, preferences."""
