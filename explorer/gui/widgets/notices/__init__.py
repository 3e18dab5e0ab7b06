"""Notices, progress, empty pages and headlines."""
