"""TODO explorer/gui/index."""
