"""Characters: made, shown, exported, let in."""
