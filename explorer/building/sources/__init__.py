"""TODO explorer/building/sources."""
