"""Results about language models."""
