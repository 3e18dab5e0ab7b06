"""What both ends of a connection to an index know: requests, answers, limits and errors, as values."""
