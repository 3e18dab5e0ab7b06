"""TODO explorer/gui/screens/trace/documents."""
