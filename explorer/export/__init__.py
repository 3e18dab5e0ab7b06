"""Results as files: JSON, tables, the data of figures, reports."""
