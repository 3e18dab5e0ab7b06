"""TODO explorer/backends/local/subtracting."""
