"""What cogs share: commands, options, presses."""
