"""Perplexity: how well the corpus predicts texts."""
