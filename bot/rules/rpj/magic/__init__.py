"""Magic outside of fights: casting, preparing, wild abilities, healing."""
