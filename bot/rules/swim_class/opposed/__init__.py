"""Opposed."""
