"""A sixth ruleset: what one has to write, and nothing else. Copied into a copy of the bot by its test."""
