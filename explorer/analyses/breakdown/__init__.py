"""The lines of a query by field and along the corpus."""
