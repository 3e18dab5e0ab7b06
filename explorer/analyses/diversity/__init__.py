"""Diversity: how varied the vocabulary of groups of documents is."""
