"""TODO explorer/gui/screens/search/around."""
