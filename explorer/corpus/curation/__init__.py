"""The methods of `Corpus` that find what to remove."""
