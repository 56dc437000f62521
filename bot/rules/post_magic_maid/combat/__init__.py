"""Fights: stored state, turns and commands."""
