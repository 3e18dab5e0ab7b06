"""Word lengths, as the registry finds it."""

from explorer.analyses.analysis import Analysis
from explorer.analyses.word_lengths.chart import word_lengths_chart
from explorer.analyses.word_lengths.compute import word_lengths
from explorer.analyses.word_lengths.question import WordLengthsQuestion
from explorer.analyses.word_lengths.table import WordLengthFacts, WordLengthRecord

ANALYSIS = Analysis(WordLengthsQuestion, WordLengthRecord, WordLengthFacts, word_lengths, word_lengths_chart)
