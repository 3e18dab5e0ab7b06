"""An index folder on disk: its files, its shards, its manifest, and whether a tokenizer belongs to it."""
