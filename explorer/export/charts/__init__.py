"""TODO explorer/export/charts."""
