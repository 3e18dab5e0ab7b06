"""TODO explorer/corpus/search."""
