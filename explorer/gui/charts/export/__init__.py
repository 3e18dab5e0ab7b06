"""Figures for paper: painted for export, not for the screen."""
