"""The steps of a build: tokens, then suffix arrays."""
