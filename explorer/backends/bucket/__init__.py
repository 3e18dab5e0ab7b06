"""An index folder on a web server or in a bucket, read in parts: see `explorer.backends.bucket.opening`."""
