"""The methods of `Corpus` that answer a query or a text."""
