"""Unopposed rolls: pools, tasks, build-ups and help."""
