"""Texts with marks, and labels."""
