"""TODO explorer/backends/local/patterns."""
