"""TODO explorer/backends/documents/markup."""
