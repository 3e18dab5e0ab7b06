"""TODO explorer/cli/index."""
