"""What texts and documents share: passages, copies, and an index without the documents of a text."""
