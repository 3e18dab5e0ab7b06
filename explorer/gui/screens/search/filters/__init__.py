"""Conditions on lines."""
