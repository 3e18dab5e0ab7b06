"""The interface thread and the background lanes."""
