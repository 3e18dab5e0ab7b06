"""A document as it is read: text, title, metadata, and the file that it came from."""
