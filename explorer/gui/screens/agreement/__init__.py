"""The agreement screen."""
