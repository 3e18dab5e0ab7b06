"""What an index is: layout, opening, composing, building, verifying; readers, tokenizers, metadata."""
