"""The tab of how varied the vocabulary is, and how it grows with the text."""
