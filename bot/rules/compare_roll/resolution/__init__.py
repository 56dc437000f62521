"""The compare roll, other rolls, and the tables of the book."""
