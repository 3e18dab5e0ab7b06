"""Types that the signatures of the library name, collected from the rooms that check them."""

from __future__ import annotations

from os import PathLike

from explorer.backends.protocol import Ids
from explorer.search.find import Match

__all__ = ["FilePath", "Ids", "Match", "Query"]

Query = str | Ids
"""A text as it is, or token ids."""
FilePath = str | PathLike[str]
"""A file or folder."""
