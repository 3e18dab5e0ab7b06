"""The document of a hit, beside the screens."""
