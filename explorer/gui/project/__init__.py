"""The project of a window."""
