"""Results about a query or a text."""
