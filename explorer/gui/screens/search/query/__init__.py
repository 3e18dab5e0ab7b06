"""The query, its history, and how it is matched."""
