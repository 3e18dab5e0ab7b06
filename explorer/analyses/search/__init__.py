"""From queries to counts, probabilities, next tokens, matches and concordance lines."""
