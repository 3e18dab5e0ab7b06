"""Agreement: how predictable texts are from the corpus."""
