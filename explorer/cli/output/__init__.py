"""TODO explorer/cli/output."""
