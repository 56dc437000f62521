"""How dice are rolled: pools, opposition, initiative, and the tables of the book."""
