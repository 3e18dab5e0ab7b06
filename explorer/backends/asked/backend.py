"""An index on another machine that answers the questions of the seam: all screens work, and nothing is approximate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tokenizers

from explorer.backends.asked.asker import Asker
from explorer.backends.asked.counts import AskedCounts
from explorer.backends.asked.documents import AskedDocuments
from explorer.backends.asked.facts import Facts, read_facts, read_holdings
from explorer.backends.asked.hits import AskedHits
from explorer.backends.asked.plausible import Bounds
from explorer.backends.asked.questions import FACTS, HOLDINGS, TOKENIZER, QuestionError
from explorer.backends.defaults.no_lists import NoLists
from explorer.backends.defaults.no_subtraction import NoSubtraction
from explorer.backends.defaults.tokenizers import required
from explorer.backends.local.open import load_tokenizer
from explorer.backends.protocol.locations import Holding
from explorer.backends.request import TokenizerChoice
from explorer.core.jobs import CancelToken
from explorer.errors import CorpusError, TokenizerError
from explorer.i18n import mark
from explorer.text.tokens.in_memory import wrap_tokenizer
from explorer.text.tokens.tokenizer import BYTES_NAME, TextTokenizer

Reopening = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function that opens the same index again, which pickle finds by its name, and its arguments."""


class AskedBackend(NoSubtraction):
    """The questions of `explorer.backends.protocol.protocol.Backend`, which describes them.

    tokenizer: Its tokenizer; None if there is none.
    reopening: What a pickle of it holds.
    """

    # Nothing of the index is in files of this machine.
    local = None
    remark = ""

    def __init__(
        self, asker: Asker, facts: Facts, tokenizer: TextTokenizer | None, address: str, reopening: Reopening
    ) -> None:
        self._asker, self._facts, self._tokenizer, self._reopening = asker, facts, tokenizer, reopening
        self.sources = (address,)
        self.name, self.fingerprint = facts.name, facts.fingerprint
        self.token_count, self.document_count = facts.token_count, facts.document_count
        self.document_slots, self.separator = facts.document_slots, facts.separator
        asker.bounds = Bounds(facts.separator, facts.document_slots)
        self.counts = AskedCounts(asker, facts.separator)
        self.hits = AskedHits(asker, self.counts)
        self.documents = AskedDocuments(asker, facts.document_slots)
        # All but what needs the files.
        self.capabilities = facts.can
        self.lists = NoLists(self.capabilities)

    @property
    def has_tokenizer(self) -> bool:
        """Whether text can be put in and read out."""
        return self._tokenizer is not None

    @property
    def tokenizer(self) -> TextTokenizer:
        """The tokenizer; raises TokenizerError where none is known."""
        return required(self._tokenizer, self.name)

    def holdings(self) -> tuple[Holding, ...]:
        """The folders of an index that is itself on several machines, as its server lists them.

        Raises `AnswerError` if the server lists something else.
        """
        try:
            return read_holdings(self._asker.send(HOLDINGS, [], None))
        except QuestionError as error:
            raise self._asker.wrong(HOLDINGS) from error

    def check_storage(self) -> None:
        """Raise CorpusError if the index is another one than when it was opened, or cannot be asked."""
        if facts_from(self._asker, None).fingerprint != self.fingerprint:
            raise CorpusError(
                mark("{name} on {host} has changed since it was opened."),
                reason="index-changed",
                name=self.name,
                host=self._asker.host,
            )

    def __reduce__(self) -> Reopening:
        return self._reopening


def facts_from(asker: Asker, cancel: CancelToken | None) -> Facts:
    """Ask what an index is; raises AnswerError for something else, and CorpusError if none comes."""
    try:
        return read_facts(asker.send(FACTS, [], cancel))
    except QuestionError as error:
        raise asker.wrong(FACTS) from error


def tokenizer_from(
    asker: Asker, facts: Facts, choice: TokenizerChoice, check_fit: bool, cancel: CancelToken | None
) -> TextTokenizer | None:
    """Choose the tokenizer of an index on another machine.

    asker: Asks the index, which sends its own tokenizer.
    choice: The tokenizer that the user named; None for that of the index.
    check_fit: Whether to refuse one whose fingerprint is not that of the index.
    Returns: The tokenizer; None if the index has none, and none was named.
    Raises `TokenizerError` if it cannot be read, or is another one than that of the index.
    """
    if choice is not None:
        found = load_tokenizer(choice)
        if check_fit and not _is_own(found, asker, facts, cancel):
            raise TokenizerError(
                mark("{tokenizer} is not the tokenizer of {name} on {host}, which is {own}."),
                reason="tokenizer-does-not-fit",
                option="check_fit",
                tokenizer=found.name,
                name=facts.name,
                host=asker.host,
                own=facts.tokenizer_name,
            )
        return found.treating_special(facts.special_as_text)
    if not facts.tokenizer_name:
        return None
    found = TextTokenizer.raw_bytes() if facts.tokenizer_name == BYTES_NAME else _sent(asker, facts, cancel)
    return found.treating_special(facts.special_as_text)


def _is_own(found: TextTokenizer, asker: Asker, facts: Facts, cancel: CancelToken | None) -> bool:
    """Whether a tokenizer is that of the index, as far as this can be known."""
    if not facts.tokenizer_name or found.fingerprint == facts.tokenizer_fingerprint:
        return True
    if BYTES_NAME in (facts.tokenizer_name, found.name):
        return facts.tokenizer_name == found.name
    own = _sent(asker, facts, cancel)
    # The same vocabulary may be written in another way, such as with other spaces.
    vocabularies = [one.backend.get_vocab() for one in (own, found) if one.backend is not None]
    return len(vocabularies) == 2 and vocabularies[0] == vocabularies[1]


def _sent(asker: Asker, facts: Facts, cancel: CancelToken | None) -> TextTokenizer:
    """The tokenizer that the other machine sends."""
    text = asker.send(TOKENIZER, [], cancel)
    try:
        backend = tokenizers.Tokenizer.from_str(text)
    # The library raises plain Exception for whatever its parser dislikes.
    except Exception as error:
        raise asker.wrong(TOKENIZER) from error
    # What it pads or truncates would change the texts of the user.
    found = wrap_tokenizer(backend)
    return TextTokenizer(found.backend, facts.tokenizer_name, facts.tokenizer_fingerprint)
