"""Results as charts."""
