"""The tab of a conversation."""
