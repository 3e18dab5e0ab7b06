"""TODO explorer/serve/tools."""
