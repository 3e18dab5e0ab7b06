"""TODO explorer/text."""
