"""TODO explorer/gui/widgets/tables."""
