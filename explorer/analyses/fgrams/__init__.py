"""Frequent n-grams of all lengths together."""
