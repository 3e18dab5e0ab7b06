"""TODO explorer/corpus/results/model."""
