"""The steps of a fight: what is pending, and applying what came of it."""
