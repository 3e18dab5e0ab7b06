"""Tokenizers: texts to tokens, tokens to text, and the training of a vocabulary."""
