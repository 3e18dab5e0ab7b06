"""Answers for kinds of index that have no faster way."""
