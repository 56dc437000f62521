"""Damage, and what critical failures do."""
