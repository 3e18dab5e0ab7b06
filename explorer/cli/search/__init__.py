"""TODO explorer/cli/search/kwic."""
