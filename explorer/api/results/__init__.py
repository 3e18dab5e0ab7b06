"""What the methods of `Corpus` return: the values of the rooms below, as tables and as HTML."""

from explorer.api.results.agreement import Agreement
from explorer.api.results.next_tokens import NextTokens

__all__ = ["Agreement", "NextTokens"]
