"""The library's face: `open_index`, the `Corpus` that it returns, and what can be asked of it."""

# These two are all that other rooms and users import; where their parts are may change.
from explorer.api.corpus import Corpus
from explorer.api.opening import open_index

__all__ = ["Corpus", "open_index"]
