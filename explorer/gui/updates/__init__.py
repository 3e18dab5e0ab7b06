"""The notice of a newer version: nothing is asked before somebody wants it."""
