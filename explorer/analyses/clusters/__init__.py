"""Clusters: the n-grams that contain a query."""
