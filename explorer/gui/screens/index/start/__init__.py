"""TODO explorer/gui/screens/index/start."""
