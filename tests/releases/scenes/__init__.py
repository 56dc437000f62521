"""Short scenes, one per ruleset, that stop in the middle of everything that can be stored."""
