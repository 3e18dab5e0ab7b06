"""TODO explorer/backends/local/lists."""
