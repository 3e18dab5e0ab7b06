"""Tabs that ask an index one question at a time: a page, what it does, and what it shows."""
