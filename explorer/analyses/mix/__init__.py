"""TODO explorer/analyses/mix."""
