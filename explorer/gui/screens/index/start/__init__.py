"""The first page: what can be opened."""
