"""TODO explorer/backends/documents/plain."""
