"""Unopposed rolls: plans, tasks, build-ups, help."""
