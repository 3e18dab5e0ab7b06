"""Hints: what follows the context of each token elsewhere."""
