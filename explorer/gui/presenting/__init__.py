"""Presenters, answers and requests: what screens do, without Qt."""
