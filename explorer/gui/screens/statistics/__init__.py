"""The Statistics screen: the words and n-grams of an index in a list."""
