"""The library's face: `open_index`, the `Corpus` that it returns, and what can be asked of it."""

from explorer.api.corpus import Corpus
from explorer.api.opening import open_index

__all__ = ["Corpus", "open_index"]
