"""TODO explorer/corpus/model."""
