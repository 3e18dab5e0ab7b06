"""Results as pages of HTML."""
