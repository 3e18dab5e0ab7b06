"""The Perplexity tab of the Model screen."""
