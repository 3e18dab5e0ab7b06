"""The spectrum: how many n-grams a corpus has, by length, by count, and as it grows."""
