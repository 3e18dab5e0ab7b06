"""TODO explorer/analyses/probe."""
