"""Watch lists: many patterns, counted at once."""
