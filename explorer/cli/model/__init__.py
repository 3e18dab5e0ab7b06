"""TODO explorer/cli/model/perplexity."""
