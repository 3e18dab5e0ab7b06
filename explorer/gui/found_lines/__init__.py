"""The lines that a row of a list leads to: as many as its count, in the spelling of the text."""
