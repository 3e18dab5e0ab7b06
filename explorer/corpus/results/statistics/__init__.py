"""TODO explorer/corpus/results/statistics."""
