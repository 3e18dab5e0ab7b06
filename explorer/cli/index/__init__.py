"""Commands that make, check and publish indexes."""
