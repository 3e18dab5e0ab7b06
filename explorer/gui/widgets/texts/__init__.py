"""TODO explorer/gui/widgets/texts."""
