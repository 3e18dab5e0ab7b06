"""Questions declared once: the settings of an analysis, and everything that follows from their declarations."""
