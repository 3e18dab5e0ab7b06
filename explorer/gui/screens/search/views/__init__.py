"""TODO explorer/gui/screens/search/views."""
