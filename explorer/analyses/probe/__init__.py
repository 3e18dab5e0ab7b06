"""Fill-in probes."""
