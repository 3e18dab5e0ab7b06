"""Corpus Explorer: what is in a text corpus, and which parts of a text stand in it.

    import explorer
    corpus = explorer.open_index("path/to/index")
    corpus.count("suffix array")

Names load when they are first used, so that the command line starts fast.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from explorer.errors import CorpusError
from explorer.version import VERSION as __version__

if TYPE_CHECKING:
    from explorer.api import Corpus, open_index
    from explorer.corpus.build import build_index
    from explorer.corpus.verify import verify_index
    from explorer.trace.settings import TraceSettings

_WHERE = {
    "Corpus": "explorer.api",
    "open_index": "explorer.api",
    "build_index": "explorer.corpus.build",
    "verify_index": "explorer.corpus.verify",
    "TraceSettings": "explorer.trace.settings",
}

__all__ = ["Corpus", "CorpusError", "TraceSettings", "__version__", "build_index", "open_index", "verify_index"]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'explorer' has no attribute {name!r}")
    return getattr(importlib.import_module(_WHERE[name]), name)
