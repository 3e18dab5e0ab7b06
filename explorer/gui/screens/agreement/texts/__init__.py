"""The texts of a source, token by token."""
