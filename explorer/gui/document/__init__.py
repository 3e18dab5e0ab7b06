"""TODO explorer/gui/document."""
