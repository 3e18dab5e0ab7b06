"""Types that the signatures of the library name, collected from the rooms that check them."""

from __future__ import annotations

from os import PathLike

from explorer.api.where import Where
from explorer.backends.protocol import Ids
from explorer.patterns.equates import Equate
from explorer.reading import ReadMode
from explorer.search.find import Match
from explorer.search.query import VariantName as Variant
from explorer.trace.settings import Relevance, WordBoundaries

__all__ = ["Equate", "FilePath", "Ids", "Match", "Query", "ReadMode", "Relevance", "Variant", "Where", "WordBoundaries"]

Query = str | Ids
"""A text as it is, or token ids."""
FilePath = str | PathLike[str]
"""A file or folder."""
