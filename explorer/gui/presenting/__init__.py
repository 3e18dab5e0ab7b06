"""TODO explorer/gui/presenting."""
