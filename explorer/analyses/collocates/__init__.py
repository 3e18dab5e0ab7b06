"""Collocates: the words near a query, and how strongly it attracts them."""
