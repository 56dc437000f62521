"""The Gridless Combat System: regions, groups, turns, blows and what becomes of those they fell."""
