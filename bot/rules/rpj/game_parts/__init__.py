"""What the ruleset hands to the table: names to offer, resources, sessions, timers, its registry."""
