"""Types that the signatures of the library name, collected from the rooms that check them."""

from __future__ import annotations

from os import PathLike

from explorer.analyses.search.find import Match
from explorer.analyses.search.query import VariantName as Variant
from explorer.analyses.trace.settings import Relevance, WordBoundaries
from explorer.backends.protocol.protocol import Ids
from explorer.corpus.search.where import Where
from explorer.text.patterns.equates import Equate
from explorer.text.reading import ReadMode

__all__ = ["Equate", "FilePath", "Ids", "Match", "Query", "ReadMode", "Relevance", "Variant", "Where", "WordBoundaries"]

Query = str | Ids
"""A text as it is, or token ids."""
FilePath = str | PathLike[str]
"""A file or folder."""
