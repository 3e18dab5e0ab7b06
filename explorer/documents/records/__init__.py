"""Tables of records: JSON, CSV, Parquet, Arrow."""
