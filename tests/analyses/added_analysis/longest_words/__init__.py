"""The longest words of an index: an analysis in one folder."""
