"""Charts in the window."""
