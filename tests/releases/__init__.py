"""Databases of earlier releases, how they are made, and what today's bot must do with them."""
