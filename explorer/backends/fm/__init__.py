"""A compressed index, an FM-index of bytes, as a backend."""
