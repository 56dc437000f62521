"""Code that the cogs share: commands, options and presses."""
