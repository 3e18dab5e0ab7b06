"""The page about the open index."""
