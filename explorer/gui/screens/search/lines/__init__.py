"""The concordance lines."""
