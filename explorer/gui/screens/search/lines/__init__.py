"""TODO explorer/gui/screens/search/lines."""
