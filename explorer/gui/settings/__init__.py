"""TODO explorer/gui/settings/store."""
