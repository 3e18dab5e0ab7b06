"""TODO explorer/analyses/watch."""
