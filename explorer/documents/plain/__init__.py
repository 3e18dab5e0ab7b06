"""Plain and annotated text, and subtitles."""
