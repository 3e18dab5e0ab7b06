"""TODO explorer/analyses/ngram_profile."""
