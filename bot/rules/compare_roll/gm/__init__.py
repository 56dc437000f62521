"""The GM's commands."""
