"""Commands about words and n-grams."""
