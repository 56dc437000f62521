"""What several rulesets use: dice notation, countdowns, fights, rests, checks on request."""
