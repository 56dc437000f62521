"""Damage outside fights: saves, layers, giga damage."""
