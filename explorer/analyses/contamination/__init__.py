"""Contamination: the items of benchmarks that occur in a corpus."""
