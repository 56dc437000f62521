"""What the ruleset hands to the table: names to offer, odds, sessions, the sheet as text."""
