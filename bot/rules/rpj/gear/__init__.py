"""Money, prices and trading."""
