"""The settings, the session, and how queries are matched."""
