"""Kinds of files: how each is recognized, and how its documents are read."""
