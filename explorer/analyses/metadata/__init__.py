"""Metadata of documents: columns, values, conditions."""
