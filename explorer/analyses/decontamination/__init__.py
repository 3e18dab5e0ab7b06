"""Decontamination: what to cut so that evaluation sets are no part of a corpus."""
