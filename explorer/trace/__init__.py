"""Which parts of a text stand word for word in the corpus, and in which documents."""
