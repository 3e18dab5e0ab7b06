"""OpenAI's text interface."""
