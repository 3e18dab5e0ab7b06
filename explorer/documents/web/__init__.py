"""TODO explorer/backends/documents/web."""
