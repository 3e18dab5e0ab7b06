"""TODO explorer/gui/screens/search/query."""
