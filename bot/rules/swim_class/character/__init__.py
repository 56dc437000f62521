"""A character: the sheet, skills and how they grow, equipment, damage."""
