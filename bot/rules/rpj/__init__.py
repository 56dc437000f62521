"""RPJ Core: two dice against seven and more, Lucky Breaks, and damage saves in the place of hit points."""
