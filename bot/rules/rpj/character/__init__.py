"""A character: the sheet, derived stats, health, Lucky Breaks, belongings."""
