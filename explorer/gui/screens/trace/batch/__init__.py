"""TODO explorer/gui/screens/trace/batch."""
