"""The indexes of a window: open, opening, recent, watched."""
