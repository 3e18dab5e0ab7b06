"""Lists and figures of a whole corpus: n-grams, and what is made of them."""
