"""The next token screen."""
