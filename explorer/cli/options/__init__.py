"""TODO explorer/cli/options."""
