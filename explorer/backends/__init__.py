"""What answers questions about documents: shards, several of them as one, and fewer documents of them."""
