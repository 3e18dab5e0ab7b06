"""One folder a screen; no screen knows another."""
