"""Play: a ruleset's procedures, free rolls, and countdowns that follow results."""
