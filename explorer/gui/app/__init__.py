"""TODO explorer/gui/app/app."""
