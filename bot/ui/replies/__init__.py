"""The replies that people read."""
