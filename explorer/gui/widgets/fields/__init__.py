"""TODO explorer/gui/widgets/fields."""
