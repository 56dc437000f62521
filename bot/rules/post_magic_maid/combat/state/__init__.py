"""The stored state of a fight, and its order cards."""
