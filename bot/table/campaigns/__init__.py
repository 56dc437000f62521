"""Campaigns, their settings and modules."""
