"""TODO explorer/backends/defaults."""
