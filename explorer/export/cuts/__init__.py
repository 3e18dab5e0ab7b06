"""TODO explorer/export/cuts/cuts."""
