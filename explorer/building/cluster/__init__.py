"""Building on a cluster: workers tokenize pieces of the sources, then put shards together and sort them."""
