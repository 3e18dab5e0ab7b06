"""TODO explorer/gui/widgets/layouts."""
