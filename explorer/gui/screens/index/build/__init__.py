"""TODO explorer/gui/screens/index/build."""
