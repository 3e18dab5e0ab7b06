"""TODO explorer/gui/help/dialog."""
