"""The methods of `Corpus` that treat the corpus as a language model."""
