"""Magic: spells and their slots, and abilities that are made up as one goes."""
