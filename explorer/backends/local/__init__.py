"""Index folders on this machine."""
