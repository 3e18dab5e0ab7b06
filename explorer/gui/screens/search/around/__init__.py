"""The tabs that count around a query: collocates and clusters."""
