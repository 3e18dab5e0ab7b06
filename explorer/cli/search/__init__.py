"""Commands about a query or a text."""
