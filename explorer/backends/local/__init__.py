"""TODO explorer/backends/local."""
