"""What the methods of `Corpus` return: the values of the rooms below, as tables and as HTML."""
