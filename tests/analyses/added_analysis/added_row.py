"""The row of an analysis that the registry does not have: a plugin of pytest, loaded before the program."""

from explorer.analyses import registry

ROW = registry.AnalysisRow("longest-words", "Longest words", "list the longest words", "statistics", "longest_words")
registry.ANALYSES = (*registry.ANALYSES, ROW)
