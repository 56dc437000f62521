"""How a check is rolled: dice or coins, criticals, modifiers and the target number."""
