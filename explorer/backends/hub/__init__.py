"""Indexes on the Hugging Face hub: downloaded to be opened, and published."""
