"""An index of infini-gram's protocol as a backend: what it is, and its four groups of questions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from explorer.backends.defaults.no_lists import NoLists
from explorer.backends.defaults.no_subtraction import NoSubtraction
from explorer.backends.defaults.tokenizers import required
from explorer.backends.protocol.protocol import Capabilities, LocalFacts
from explorer.backends.remote.counts import RemoteCounts
from explorer.backends.remote.documents import RemoteDocuments
from explorer.backends.remote.hits import RemoteHits
from explorer.backends.remote.numbering import SLOTS, Numbering
from explorer.backends.remote.service import Service
from explorer.backends.remote.views import Views
from explorer.i18n import tr
from explorer.text.tokens.tokenizer import TextTokenizer


@dataclass(frozen=True)
class RemoteFacts:
    """What was learned of an index when it was opened.

    separator: The token before each document.
    end: The id under which next tokens have the end of a document; None if that is not known.
    edition: What tells this content of the index from another one under the same name.
    is_ours: Whether the service is a server of this program, which counts all that follows exactly.
    takes_questions: Whether it takes the questions of the seam: see `explorer.backends.asked`.
    is_mini: Whether it is an index of infini-gram mini: see `explorer.backends.remote.mini`.
    is_kept: Whether these figures are from an earlier run, because the service did not answer.
    """

    token_count: int
    document_count: int
    separator: int
    end: int | None = None
    edition: str = ""
    is_ours: bool = False
    takes_questions: bool = False
    is_mini: bool = False
    is_kept: bool = False


class RemoteBackend(NoSubtraction):
    """An index of a service; made by `explorer.backends.remote.opening.open_remote`.

    Its parts answer the questions of `explorer.backends.protocol.protocol.Backend`, which describes them.
    """

    local: LocalFacts | None = None

    def __init__(
        self,
        service: Service,
        facts: RemoteFacts,
        tokenizer: TextTokenizer | None,
        opening: tuple[Callable[..., Any], tuple[Any, ...]],
    ) -> None:
        self.service, self._facts, self._tokenizer, self._opening = service, facts, tokenizer, opening
        self.name = service.name
        self.sources = (f"{service.url}#{service.name}",)
        self._numbering = Numbering(self.sources[0])
        self.capabilities = _capabilities(service, facts)
        self.separator = facts.separator
        views = Views(service, self._numbering, facts.separator, partial(required, tokenizer, self.name))
        self.counts = RemoteCounts(service, facts.separator, facts.end)
        self.hits = RemoteHits(service, views, facts.separator, self.capabilities)
        self.documents = RemoteDocuments(views, self._numbering, facts.separator, self.capabilities)
        self.lists = NoLists(self.capabilities)

    @property
    def fingerprint(self) -> str:
        """32 hexadecimal digits: of the address, the edition, and the numbers of documents of this machine."""
        known = f"{self.sources[0]}\n{self._facts.edition}\n{self._numbering.identity}"
        return hashlib.sha256(known.encode()).hexdigest()[:32]

    @property
    def remark(self) -> str:
        """How old the answers are; "" if all of them came now."""
        oldest = self.service.oldest
        day = "" if oldest is None else datetime.fromtimestamp(oldest, UTC).date().isoformat()
        if self._facts.is_kept:
            return tr("{host} does not answer. Answers that were kept can still be shown.", host=self.service.host)
        return tr("Some answers were fetched earlier, the first on {day}.", day=day) if day else ""

    @property
    def is_offline(self) -> bool:
        """Whether the service did not answer when the index was opened, so that only kept answers can be shown."""
        return self._facts.is_kept

    @property
    def token_count(self) -> int:
        """Tokens, including a separator for each document."""
        return self._facts.token_count

    @property
    def document_count(self) -> int:
        """Documents."""
        return self._facts.document_count

    @property
    def document_slots(self) -> int:
        """One more than the largest number that a document can have; most numbers have none yet."""
        return SLOTS

    @property
    def has_tokenizer(self) -> bool:
        """Whether text can be put in and read out."""
        return self._tokenizer is not None

    @property
    def tokenizer(self) -> TextTokenizer:
        """The tokenizer; raises TokenizerError where none is known."""
        return required(self._tokenizer, self.name)

    def check_storage(self) -> None:
        """Nothing is stored here."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        # Another process opens it again: connections cannot be sent.
        return self._opening


def _capabilities(service: Service, facts: RemoteFacts) -> Capabilities:
    if facts.is_mini:
        told = tr("{host} counts texts and gives the text around them, but does not answer this.", host=service.host)
    else:
        told = tr(
            "{host} answers questions about n-grams of tokens, what follows them, and the text around hits, but not "
            "this one.",
            host=service.host,
        )
    return Capabilities(
        next_tokens=facts.is_ours,
        text_patterns=False,
        sorting=False,
        documents=False,
        sizes=False,
        subtraction=False,
        lists=False,
        why_not=told,
    )
