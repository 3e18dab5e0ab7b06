"""Text patterns in local shards."""
