"""Money: what goods cost, Coin and Wealth, and what a month brings."""
