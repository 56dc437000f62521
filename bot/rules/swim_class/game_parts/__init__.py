"""What the table asks of the ruleset: suggestions, odds, session ends, the sheet as text, its registry."""
