"""TODO explorer/backends/protocol/protocol."""
