"""The tab of the words and n-grams of an index in a list."""
