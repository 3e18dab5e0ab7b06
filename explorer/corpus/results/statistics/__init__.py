"""Results about words and n-grams."""
