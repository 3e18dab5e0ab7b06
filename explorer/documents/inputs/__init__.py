"""Texts that a person gives: where the text is in a file, and what happens to lines that cannot be read."""
