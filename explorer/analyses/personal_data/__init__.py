"""Personal data: addresses, numbers and keys in the texts."""
