"""Decontamination: the passages to cut so that a corpus does not contain evaluation sets."""
