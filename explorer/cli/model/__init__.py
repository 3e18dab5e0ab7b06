"""Commands of language models, f-grams and hints."""
