"""TODO explorer/gui/style."""
