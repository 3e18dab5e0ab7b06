"""TODO explorer/cli/serve/serve."""
