"""TODO explorer/analyses/compare."""
