"""A character: the sheet, what follows from it, health, Lucky Breaks, belongings."""
