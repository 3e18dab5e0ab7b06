"""TODO explorer/backends/documents/office."""
