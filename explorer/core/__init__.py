"""TODO explorer/core."""
