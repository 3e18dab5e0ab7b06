"""TODO explorer/corpus/results/curation."""
