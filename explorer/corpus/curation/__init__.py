"""TODO explorer/corpus/curation."""
