"""The corpus mixed with a neural model."""
