"""Keywords: the words that are more frequent, or rarer, than in a reference."""
