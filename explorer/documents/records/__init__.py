"""TODO explorer/backends/documents/records."""
