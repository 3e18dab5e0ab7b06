"""Files of any origin, read and written safely: paths, encodings, packed streams, JSON, mapped files."""
