"""Personal data and secrets in the texts."""
