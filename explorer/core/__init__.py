"""Values, files and threads that know nothing of corpora."""
