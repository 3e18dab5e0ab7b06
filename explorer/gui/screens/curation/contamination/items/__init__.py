"""TODO explorer/gui/screens/curation/contamination/items."""
