"""Which items of benchmarks occur in the texts, and where."""
