"""One folder for each analysis: its question, and the columns of its result."""
