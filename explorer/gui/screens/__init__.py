"""One folder per screen; no screen imports another."""
