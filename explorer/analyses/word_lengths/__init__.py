"""Word lengths: how many words have each length, and which ones."""
