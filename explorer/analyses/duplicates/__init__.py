"""Duplicates: the tokens to cut so that no passage of a length is left twice."""
