"""Commands that answer other programs."""
