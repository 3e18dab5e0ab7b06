"""TODO explorer/gui/screens/trace/ask."""
