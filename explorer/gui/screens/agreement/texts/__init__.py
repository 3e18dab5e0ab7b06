"""TODO explorer/gui/screens/agreement/texts."""
