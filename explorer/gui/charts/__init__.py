"""TODO explorer/gui/charts."""
