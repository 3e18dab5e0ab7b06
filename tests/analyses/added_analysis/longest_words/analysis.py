"""The longest words, as the registry finds them."""

from explorer.analyses.analysis import Analysis
from longest_words.chart import longest_words_chart
from longest_words.compute import longest_words
from longest_words.question import LongestWordsQuestion
from longest_words.table import LongWordFacts, LongWordRecord

ANALYSIS = Analysis(
    LongestWordsQuestion,
    LongWordRecord,
    LongWordFacts,
    longest_words,
    longest_words_chart,
    lines=lambda row: (row.form, row.count),
)
