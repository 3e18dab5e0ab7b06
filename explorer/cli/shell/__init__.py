"""TODO explorer/cli/shell/shell."""
