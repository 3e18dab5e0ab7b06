"""TODO explorer/gui/widgets/notices."""
