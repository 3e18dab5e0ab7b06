"""TODO explorer/gui/threads."""
