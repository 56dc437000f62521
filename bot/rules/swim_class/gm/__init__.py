"""The GM's commands, and the campaign's own rules."""
