"""Duplicate documents: the documents that are exact copies of another."""
