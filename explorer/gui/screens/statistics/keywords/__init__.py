"""The tab of the words that are more frequent, or rarer, than in a reference."""
