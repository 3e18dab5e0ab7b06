"""The Generate tab: the corpus writes a text, each token with the places that it is from."""
