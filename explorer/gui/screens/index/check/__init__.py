"""TODO explorer/gui/screens/index/check."""
