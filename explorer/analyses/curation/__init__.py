"""What a corpus has that training data should not have: benchmarks, for a start."""
