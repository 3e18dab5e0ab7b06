"""TODO explorer/building/estimate/estimate."""
