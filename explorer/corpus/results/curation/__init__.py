"""Results about what to remove."""
