"""TODO explorer/gui/screens/trace/conversation."""
