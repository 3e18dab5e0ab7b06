"""Files of f-grams, embeddings and hints."""
