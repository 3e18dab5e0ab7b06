"""The Statistics screen: the words of an index in lists, and how they compare."""
