"""TODO explorer/gui/chrome."""
