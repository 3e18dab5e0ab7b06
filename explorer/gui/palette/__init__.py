"""TODO explorer/gui/palette/palette."""
