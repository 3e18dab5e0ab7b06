"""TODO explorer/corpus/statistics."""
