"""Office documents and spreadsheets."""
