"""Lists of all n-grams of local shards."""
