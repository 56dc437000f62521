"""A character: sheet, wounds and points."""
