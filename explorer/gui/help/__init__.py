"""The guide, its topics, and the licenses."""
