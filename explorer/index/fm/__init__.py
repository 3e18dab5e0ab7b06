"""A compressed index on disk."""
