"""Damage outside of fights: saves, layers, bleeding, giga damage."""
