"""Commands that find what to remove."""
