"""Magic outside fights: casting, preparing, wild abilities; rest and healing."""
