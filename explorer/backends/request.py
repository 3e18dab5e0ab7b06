"""What to open, and how: the same for every kind of index."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike

import tokenizers

from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.text.tokens.in_memory import HasBackend
from explorer.text.tokens.tokenizer import TextTokenizer

TokenizerObject = TextTokenizer | tokenizers.Tokenizer | HasBackend
"""A tokenizer in memory."""
TokenizerChoice = str | PathLike[str] | TokenizerObject | None
Sources = str | PathLike[str] | Sequence[str | PathLike[str]]
"""One folder or address, or several."""


def as_sources(given: Sources | None) -> tuple[str, ...]:
    """Write one folder or address, or several, as a tuple of strings; None is an empty one.

    Raises `QueryError` if it is something else, such as an opened corpus.
    """
    if given is None:
        return ()
    # Strings, not paths: a path would turn the two slashes of an address into one.
    several = (given,) if isinstance(given, str | PathLike) else given
    try:
        return tuple(os.fspath(source) for source in several)
    except TypeError:
        kind = type(given).__name__
        raise QueryError(
            mark("An index is given as the path of its folder, or a list of paths, not as {kind}."),
            reason="not-a-path",
            kind=kind,
        ) from None


@dataclass(frozen=True)
class IndexRequest:
    """What to open as one index.

    sources: Folders or addresses, at least one.
    tokenizer: A tokenizer.json, "bytes", a tokenizer in memory, or None for the index's own.
    minus: Folders or addresses of documents to subtract.
    check_fit: Whether to refuse a tokenizer that does not fit the index.
    reversed_text: Whether documents are stored backwards; None: as the index states, or as detected.
    allow_same: Whether to count an index once for each time it is given; otherwise this is an error.
    default_tokenizer: The tokenizer of an index that has none of its own, as for `tokenizer`; None: the one that is
        remembered for it.
    allow_remote: Whether queries may be sent to another machine; otherwise an address that is not this machine is an
        error.
    token: What the server of an index asks for; it is sent to this server only, and never shown.
    insecure: Whether the scheduler of a cluster may be on another machine without encryption.
    partial: Whether counts may be lower bounds if a part of an index on several machines is missing.
    """

    sources: tuple[str, ...]
    tokenizer: TokenizerChoice = None
    minus: tuple[str, ...] = ()
    check_fit: bool = True
    reversed_text: bool | None = None
    allow_same: bool = False
    default_tokenizer: str | None = None
    allow_remote: bool = False
    token: str | None = field(default=None, repr=False)
    insecure: bool = False
    partial: bool = False

    @property
    def key(self) -> tuple[object, ...]:
        """What is equal for requests of the same index: a tokenizer in memory counts by its fingerprint."""
        named = getattr(self.tokenizer, "fingerprint", self.tokenizer)
        return (
            self.sources,
            named,
            self.minus,
            self.check_fit,
            self.reversed_text,
            self.allow_same,
            self.default_tokenizer,
        )

    @property
    def demands(self) -> frozenset[str]:
        """What a backend must be able to do to open this: names as in `explorer.backends.registry.DEMANDS`."""
        # The other options are permissions. A kind of index that has nothing to permit may ignore them.
        asked = {
            "token": self.token is not None,
            "tokenizer": self.tokenizer is not None,
            "minus": bool(self.minus),
            "reversed_text": self.reversed_text is not None,
            # A permission, too, but one that nothing else can use.
            "partial": self.partial,
        }
        return frozenset(name for name, wanted in asked.items() if wanted)
