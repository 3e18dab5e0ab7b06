"""The n-gram profile of a token."""
