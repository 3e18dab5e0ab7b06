"""The word list: words or n-grams of a corpus, the most frequent first."""
