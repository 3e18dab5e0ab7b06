"""The methods of `Corpus` that give lists and figures of its words and n-grams."""
