"""What is cut, looked at and written."""
