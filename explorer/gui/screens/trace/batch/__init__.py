"""The tab for a file of answers."""
