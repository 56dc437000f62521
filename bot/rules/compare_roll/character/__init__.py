"""A character: the sheet, HP, Stress, High, and the lists it is made from."""
