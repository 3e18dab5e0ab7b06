"""A traced text side by side with a document."""
