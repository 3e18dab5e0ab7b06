"""Several indexes as one backend."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import fields
from itertools import chain
from typing import Any

from explorer.backends.defaults.no_lists import NoLists
from explorer.backends.defaults.no_subtraction import NoSubtraction
from explorer.backends.merged.counts import MergedCounts
from explorer.backends.merged.documents import MergedDocuments
from explorer.backends.merged.hits import MergedHits
from explorer.backends.merged.parts import Parts
from explorer.backends.protocol.protocol import Backend, Capabilities, Holding
from explorer.errors import QueryError
from explorer.i18n import mark, tr
from explorer.text.tokens.tokenizer import TextTokenizer


class MergedBackend(NoSubtraction):
    """The questions of `explorer.backends.protocol.protocol.Backend`, which describes them.

    backends: The indexes, at least one, in the order of their documents.
    reopening: What a pickle of it holds: a function that opens the same again, and its arguments.
    Raises `QueryError` if their tokens are not the same.
    """

    local = None

    def __init__(
        self, backends: Sequence[Backend], name: str, reopening: tuple[Callable[..., Any], tuple[Any, ...]]
    ) -> None:
        check_alike(backends)
        self.parts = Parts(backends)
        self.name, self._reopening = name, reopening
        self.separator = backends[0].separator
        self.sources = tuple(source for backend in backends for source in backend.sources)
        self.token_count = sum(backend.token_count for backend in backends)
        self.document_count = sum(backend.document_count for backend in backends)
        self.document_slots = sum(backend.document_slots for backend in backends)
        self.told = ""
        """A remark about the whole, by whoever opened it."""
        self.capabilities = _capabilities(backends)
        self.counts = MergedCounts(self.parts, self.separator)
        self.hits = MergedHits(self.parts, self.capabilities)
        self.documents = MergedDocuments(self.parts, self.separator)
        self.lists = NoLists(self.capabilities)

    @property
    def fingerprint(self) -> str:
        """32 hexadecimal digits, of the contents of all indexes in their order."""
        known = "\n".join(backend.fingerprint for backend in self.parts.backends)
        return hashlib.sha256(known.encode()).hexdigest()[:32]

    @property
    def remark(self) -> str:
        """What the opener remarks about the whole, and the indexes about themselves now, each once."""
        remarks = (self.told, *(backend.remark for backend in self.parts.backends))
        return " ".join(dict.fromkeys(filter(None, remarks)))

    @property
    def missing(self) -> tuple[str, ...]:
        """What was left out of answers, by any of the indexes."""
        return tuple(dict.fromkeys(name for backend in self.parts.backends for name in backend.missing))

    @property
    def has_tokenizer(self) -> bool:
        """Whether text can be put in and read out."""
        return all(backend.has_tokenizer for backend in self.parts.backends)

    @property
    def tokenizer(self) -> TextTokenizer:
        """The tokenizer, which is that of all indexes; raises TokenizerError where none is known."""
        return self.parts.backends[0].tokenizer

    def holdings(self) -> tuple[Holding, ...]:
        """The folders of those indexes that are on several machines."""
        return tuple(chain.from_iterable(self.parts.each(lambda backend: backend.holdings())))

    def check_storage(self) -> None:
        """Raise CorpusError if one of the indexes has changed or vanished since it was opened."""
        self.parts.each(lambda backend: backend.check_storage())

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self._reopening


def check_alike(backends: Sequence[Backend]) -> None:
    """Check that the same ids are the same tokens everywhere.

    Raises `QueryError` if their tokenizers differ.
    """
    first = backends[0]
    for other in backends[1:]:
        named = [backend.tokenizer.fingerprint if backend.has_tokenizer else None for backend in (first, other)]
        if first.separator != other.separator or len({*named} - {None}) > 1:
            raise QueryError(
                mark("{one} and {other} have different tokenizers, so their counts cannot be added up."),
                reason="tokenizers-differ",
                one=first.sources[0],
                other=other.sources[0],
            )


def _capabilities(backends: Sequence[Backend]) -> Capabilities:
    """What all indexes can do, but for what needs the order of all their suffixes."""
    able = {
        field.name: all(getattr(backend.capabilities, field.name) for backend in backends)
        for field in fields(Capabilities)
        if field.type == "bool"
    }
    able |= {"sorting": False, "subtraction": False, "lists": False}
    told = [backend.capabilities.why_not for backend in backends if not backend.capabilities.text_patterns]
    own = tr("Several indexes that are asked as one cannot be sorted, listed or subtracted from.")
    return Capabilities(**able, why_not=" ".join(dict.fromkeys([own, *filter(None, told)])))
