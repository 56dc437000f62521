"""What the ruleset hands to the table: checks on request, sessions."""
