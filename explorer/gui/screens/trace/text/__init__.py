"""One traced text: its editor, its marks, its reading text."""
