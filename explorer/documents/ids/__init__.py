"""TODO explorer/backends/documents/ids."""
