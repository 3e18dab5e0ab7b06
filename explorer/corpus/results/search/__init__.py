"""TODO explorer/corpus/results/search."""
