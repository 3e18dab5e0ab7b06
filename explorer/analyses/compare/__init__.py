"""Several queries, compared."""
