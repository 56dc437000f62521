"""The state of a fight: turns, ranges, hits and counterattacks."""
