"""A character: the sheet, wounds, points."""
