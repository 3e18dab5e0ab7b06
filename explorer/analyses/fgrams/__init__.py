"""TODO explorer/analyses/fgrams."""
