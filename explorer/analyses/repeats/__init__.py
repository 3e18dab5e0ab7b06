"""Repeats: the passages that occur more than once, and stretches that repeat themselves."""
