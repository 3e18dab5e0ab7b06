"""Views of the lines: by field, along the corpus, compared, watched."""
