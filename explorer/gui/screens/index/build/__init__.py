"""The pages of a build."""
