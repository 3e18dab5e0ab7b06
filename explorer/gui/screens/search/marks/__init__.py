"""Marks, notes and saved sets of lines."""
