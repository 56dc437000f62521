"""The steps of a fight: pending decisions and rolls, and applying their results."""
