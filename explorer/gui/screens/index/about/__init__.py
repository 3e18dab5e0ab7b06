"""TODO explorer/gui/screens/index/about."""
