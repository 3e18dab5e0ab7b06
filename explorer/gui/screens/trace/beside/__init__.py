"""TODO explorer/gui/screens/trace/beside."""
