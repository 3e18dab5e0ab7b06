"""The tools of assistants."""
