"""Dispersion: how evenly words are spread over the parts of a corpus, and where they are."""
