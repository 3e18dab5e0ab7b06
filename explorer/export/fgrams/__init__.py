"""TODO explorer/export/fgrams."""
