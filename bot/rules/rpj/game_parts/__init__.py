"""What the ruleset gives to the table: suggestions, resources, sessions, timers, its registry."""
