"""Building an index: reading sources, tokenizing, sorting, resuming, and what it will need."""
