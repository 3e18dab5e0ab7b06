"""TODO explorer/cli/curation."""
