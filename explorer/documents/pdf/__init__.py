"""TODO explorer/backends/documents/pdf."""
