"""Battles of many."""
