"""A fight as stored: battlefield, combatants, cover, suppression."""
