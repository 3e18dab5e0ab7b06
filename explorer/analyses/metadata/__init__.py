"""TODO explorer/analyses/metadata."""
