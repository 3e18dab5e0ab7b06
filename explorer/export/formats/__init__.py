"""One file for each export format; `explorer.export.registry` lists them."""
