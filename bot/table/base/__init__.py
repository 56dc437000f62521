"""What every use case needs: who asks, what is stored, how rolls and results are kept."""
