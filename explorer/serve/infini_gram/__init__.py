"""TODO explorer/serve/infini_gram/infini_gram."""
