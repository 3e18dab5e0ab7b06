"""Documents subtracted from local shards."""
