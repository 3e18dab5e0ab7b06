"""TODO explorer/export/reports."""
