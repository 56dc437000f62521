"""How a check is rolled: dice or coins, criticals, what is added, and what it must reach."""
