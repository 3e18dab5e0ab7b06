"""The Mix tab of the Model screen: a text scored by a neural model, and by the corpus mixed with it."""
