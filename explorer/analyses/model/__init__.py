"""The corpus as a language model: levels of context, methods that weigh them, scores of texts, generated text."""
