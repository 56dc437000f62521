"""Parts that several rulesets use: dice notation, countdowns, fights, rests and requested checks."""
