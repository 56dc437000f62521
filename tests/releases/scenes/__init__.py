"""Short scenes, one a ruleset, that end in the middle of everything that can be stored."""
