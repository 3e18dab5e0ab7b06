"""What the methods of `Corpus` return: the values of the rooms below, as tables and as HTML."""

from explorer.api.results.agreement import Agreement
from explorer.api.results.comparison import AgreementResult
from explorer.api.results.concordance import Concordance, LineRows
from explorer.api.results.located import Located
from explorer.api.results.next_tokens import NextTokens
from explorer.api.results.trace import Trace
from explorer.api.results.traces import Traces

__all__ = ["Agreement", "AgreementResult", "Concordance", "LineRows", "Located", "NextTokens", "Trace", "Traces"]
