"""What a service gives of documents: the text around one hit, which is the whole document if that is short enough."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.backends.defaults.ranked import Rank
from explorer.backends.places import Located
from explorer.backends.protocol.protocol import Numbers
from explorer.backends.remote.again import is_at, nearest, nearest_text
from explorer.backends.remote.numbering import DocumentKey, Numbering
from explorer.backends.remote.sense import DOCUMENT_IDS
from explorer.backends.remote.service import Answer, Service
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken
from explorer.errors import CapabilityError, QueryError
from explorer.http.wire.infini_gram import Question
from explorer.http.wire.reading import ngram_ids
from explorer.i18n import mark, tr
from explorer.text.tokens.tokenizer import TextTokenizer

MOST_PLACES = 1_000
"""Places that are looked up for one question: each is a request."""

_MOST_TOKENS = 4_000_000
"""Tokens of views that are kept in memory."""


@dataclass(frozen=True, eq=False)
class View(ArrayValue):
    """A document as the service gives it.

    tokens: Its tokens, in reading order, int64.
    exact: Whether they are those of the index; otherwise the service gave the text only, which was tokenized again.
    whole: Whether these are all; otherwise it is the part of a longer document around one hit, and counts as a document
        of its own.
    metadata: Its metadata; of a part, with the length of the document and its number at the service.
    needle: Where the hit of the rank begins, or, in a text that is stored backwards, where it ends: a token.
    """

    number: int
    tokens: Numbers
    exact: bool
    whole: bool
    metadata: dict[str, Any]
    needle: int


class Views:
    """Reads documents, and keeps those that were read last.

    separator: The token before each.
    tokenizer: Reads a text that comes without tokens; raises TokenizerError if none is known.
    """

    def __init__(
        self, service: Service, numbering: Numbering, separator: int, tokenizer: Callable[[], TextTokenizer]
    ) -> None:
        self._service, self._numbering, self._separator, self._tokenizer = service, numbering, separator, tokenizer
        self._lock = threading.Lock()
        self._kept: OrderedDict[Rank, View] = OrderedDict()
        self._size = 0

    def places(
        self,
        ranks: Sequence[Rank],
        ngrams: Sequence[Numbers],
        limited: bool = True,
        cancel: CancelToken | None = None,
    ) -> Located:
        """Find the places of n-grams at some ranks.

        Raises `BadReplyError` if a document does not have the n-gram.
        """
        views = self.at(ranks, limited, cancel)
        rows = zip(ranks, views, ngrams, strict=True)
        found = [self._extent(rank, view, ngram) for rank, view, ngram in rows]
        offsets, lengths = np.array(found, dtype=np.int64).reshape(-1, 2).T
        documents = np.array([view.number for view in views], dtype=np.int64)
        return Located.of_tokens(documents, np.ascontiguousarray(offsets), np.ascontiguousarray(lengths))

    def _extent(self, rank: Rank, view: View, ngram: Numbers) -> tuple[int, int]:
        """The offset and the tokens of the n-gram by whose rank a document was read."""
        # What follows a separator is in the next document.
        ends = np.flatnonzero(ngram[1:] == self._separator)
        wanted = ngram[: int(ends[0]) + 1] if len(ends) else ngram
        # In a text that is stored backwards, the place of the hit is that of its last token, counted from the end.
        stated = (view.needle, len(view.tokens) - view.needle - len(ngram))
        for offset in stated:
            if is_at(view.tokens, wanted, offset):
                return offset, len(ngram)
        if not view.exact:
            near = nearest(view.tokens, wanted, stated) or nearest_text(self._tokenizer(), view.tokens, wanted, stated)
            if near is not None:
                return near
        self.forget(rank)
        raise self._service.unusable("a document has other tokens than those that were looked for")

    def at(self, ranks: Sequence[Rank], limited: bool = True, cancel: CancelToken | None = None) -> list[View]:
        """Read the documents at some ranks.

        ranks: Shards and ranks, which may repeat.
        limited: Whether to refuse more than `MOST_PLACES`.
        cancel: Stops the questions; what was answered is kept.
        Raises `CapabilityError` if these are too many.
        """
        found = self._known(ranks)
        wanted = [rank for rank in dict.fromkeys(ranks) if rank not in found]
        if limited and len(wanted) > MOST_PLACES:
            raise CapabilityError(
                tr(
                    "This needs {count:,} requests to {host}, one for each hit; at most {most:,} are sent.",
                    count=len(wanted),
                    host=self._service.host,
                    most=MOST_PLACES,
                )
            )
        answers = self._service.ask_many([self._question(rank) for rank in wanted], cancel)
        for rank, answer in zip(wanted, answers, strict=True):
            found[rank] = self._view(rank, answer)
            self._keep(rank, found[rank])
        return [found[rank] for rank in ranks]

    def forget(self, rank: Rank) -> None:
        """Read a document again next time: what was read turned out to be wrong."""
        with self._lock:
            self._kept.pop(rank, None)
        self._service.forget(self._question(rank))

    def _question(self, rank: Rank) -> Question:
        most = self._service.limits.max_disp_len
        return self._service.question("get_doc_by_rank", (), s=rank[0], rank=rank[1], max_disp_len=most)

    def of(self, documents: Numbers) -> list[View]:
        """Read documents by their numbers; raises QueryError for a number that no document was given."""
        ranks = [self._rank_of(number) for number in documents.tolist()]
        return [self._checked(number, view) for number, view in zip(documents.tolist(), self.at(ranks), strict=True)]

    def check(self, number: int) -> None:
        """Raise QueryError for a number that no document was given."""
        self._rank_of(number)

    def _rank_of(self, number: int) -> Rank:
        try:
            return self._numbering.rank_of(number)
        except IndexError:
            raise QueryError(
                mark("Document {document:,} was not met yet: {host} gives documents around hits only."),
                reason="document-not-met",
                document=number,
                host=self._service.host,
            ) from None

    def _checked(self, number: int, view: View) -> View:
        # The index at the address may be another one than when the document was numbered.
        if view.number != number:
            raise self._service.unusable(f"document {number:,} is another one now")
        return view

    def _known(self, ranks: Sequence[Rank]) -> dict[Rank, View]:
        with self._lock:
            found = {rank: self._kept[rank] for rank in ranks if rank in self._kept}
            for rank in found:
                self._kept.move_to_end(rank)
        return found

    def _keep(self, rank: Rank, view: View) -> None:
        with self._lock:
            if rank not in self._kept:
                self._size += len(view.tokens)
            self._kept[rank] = view
            while self._size > _MOST_TOKENS and len(self._kept) > 1:
                _, old = self._kept.popitem(last=False)
                self._size -= len(old.tokens)

    def _view(self, rank: Rank, answer: Answer) -> View:
        length, shown, needle, place = (answer[name] for name in ("doc_len", "disp_len", "needle_offset", "doc_ix"))
        tokens, exact = self._tokens(answer)
        whole = shown == length
        key = DocumentKey(not whole, rank[0], place if whole else rank[1])
        metadata = _metadata(answer["metadata"])
        if not whole:
            metadata = {**metadata, "part_of_document": place, "document_tokens": length}
        number = self._numbering.number_of(key, rank[1])
        return View(number, tokens, exact, whole, metadata, needle)

    def _tokens(self, answer: Answer) -> tuple[Numbers, bool]:
        """The tokens of a document, and whether they were given; otherwise they are from its text.

        The documentation of the API promises the tokens; its program gives those of the question in their place.
        """
        for name in (DOCUMENT_IDS, "token_ids"):
            given = answer.get(name)
            if isinstance(given, list) and given and len(given) == answer["disp_len"]:
                return np.array(given, dtype=np.int64), True
        text = "".join(text for text, _ in answer["spans"])
        tokenizer = self._tokenizer()
        if tokenizer.backend is None:
            # Control characters are written as \xHH.
            ids = ngram_ids(text, tokenizer.style, lambda each: [*each.encode()], None)
            return np.array(ids, dtype=np.int64), False
        return tokenizer.encode(text), False


def _metadata(text: str) -> dict[str, Any]:
    """The line of metadata as a dictionary."""
    if not text.strip():
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {"metadata": text}
    return found if isinstance(found, dict) else {"metadata": found}
