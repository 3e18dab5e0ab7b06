"""TODO explorer/gui/screens/search/filters/chips."""
