"""What the methods of `Corpus` return: the values of the rooms below, as tables and as HTML."""

from explorer.corpus.results.search.agreement import Agreement
from explorer.corpus.results.search.comparison import AgreementResult
from explorer.corpus.results.search.concordance import Concordance, LineRows
from explorer.corpus.results.search.located import Located
from explorer.corpus.results.search.next_tokens import NextTokens
from explorer.corpus.results.search.trace import Trace
from explorer.corpus.results.search.traces import Traces

__all__ = ["Agreement", "AgreementResult", "Concordance", "LineRows", "Located", "NextTokens", "Trace", "Traces"]
