"""TODO explorer/gui/screens/search/marks."""
