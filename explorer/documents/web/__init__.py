"""Crawls, wikis and mail."""
