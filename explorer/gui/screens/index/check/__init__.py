"""The check of the open index."""
