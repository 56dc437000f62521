"""Databases of earlier releases: how they are made, how they are opened, and what today's bot has to do."""
