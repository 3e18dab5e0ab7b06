"""The texts of a corpus without what was cut."""
