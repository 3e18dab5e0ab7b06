"""TODO explorer/gui/screens/agreement/plots/plots."""
