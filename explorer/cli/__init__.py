"""The command line: `corpus-explorer`."""
