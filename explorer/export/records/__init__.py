"""Records: one file per kind, each a frozen dataclass whose fields are the columns of every format."""
