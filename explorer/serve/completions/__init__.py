"""TODO explorer/serve/completions/completions."""
