"""TODO explorer/gui/screens/trace/text."""
