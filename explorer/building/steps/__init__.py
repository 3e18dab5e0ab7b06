"""TODO explorer/building/steps."""
