"""Layouts, panes and tabs."""
