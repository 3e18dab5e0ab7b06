"""The Model screen: the corpus as a language model, in tabs."""
