"""TODO explorer/analyses/breakdown."""
