"""TODO explorer/gui/project."""
