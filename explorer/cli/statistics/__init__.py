"""TODO explorer/cli/statistics."""
