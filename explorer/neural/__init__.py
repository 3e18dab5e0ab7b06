"""Neural language models beside a corpus: their tokens with log probabilities, from a file or from a server."""
