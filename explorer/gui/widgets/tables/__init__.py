"""Tables, and what is in their headers."""
