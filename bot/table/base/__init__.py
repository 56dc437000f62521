"""The base of every use case: who asks, what is stored, how rolls and results are saved."""
