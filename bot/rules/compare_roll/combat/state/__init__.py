"""A fight as it is stored: turns, ranges, what a hit does, counterattacks."""
