"""Conversion between Discord's objects and the bot's requests and replies."""
