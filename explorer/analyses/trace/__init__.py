"""Which parts of a text occur word for word in the corpus, and in which documents."""
