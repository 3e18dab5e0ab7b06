"""Texts to begin with: a passage of the open corpus, and its words in another order. No Qt."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

from explorer.backends.documents.document import Document
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.gui.presenting.presenter import Slot
from explorer.gui.screens.model.presenter import ModelPresenter
from explorer.i18n import mark

SHUFFLED = mark("Its words, shuffled")
EXAMPLES = (mark("A passage of this corpus"), SHUFFLED)
"""What can be tried, not yet translated."""
_TOKENS, _BYTES = 120, 500
"""Tokens of a passage, and of one in bytes."""


class ExamplePassage:
    """Makes a passage of the open corpus the text of the tab."""

    def __init__(self, slot: Slot, presenter: ModelPresenter[Any]) -> None:
        self._slot, self._presenter = slot, presenter

    def ask(self, shuffled: bool) -> None:
        """Read a passage, or the words of one in another order, and ask about it."""
        corpus = self._presenter.state.corpus
        if corpus is None:
            return

        def read(cancel: CancelToken) -> str:
            passage = passage_of(corpus.index, cancel)
            return shuffled_words(passage) if shuffled else passage

        self._slot.run(read, partial(self._take, shuffled), self._presenter.fail_beside)

    def _take(self, shuffled: bool, text: str) -> None:
        # A passage of the corpus would otherwise be scored on itself, and look far too probable.
        self._presenter.change(leave_one_out=not shuffled)
        self._presenter.enter(text=text)
        # At once: nobody is typing.
        self._presenter.run()

    def forget(self) -> None:
        """Drop what is being read."""
        self._slot.cancel()


def passage_of(index: Backend, cancel: CancelToken) -> str:
    """Read the middle of a document, the longest of three.

    Raises `QueryError` if there is no text in these documents.
    """
    most = _BYTES if index.tokenizer.vocabulary_size == 256 else _TOKENS
    found, total = "", index.document_slots
    # Not the first document alone: many collections begin with a title page or a license.
    for number in dict.fromkeys((total // 2, total // 3, 0)):
        cancel.check()
        # An empty index does not even have document 0.
        if number < total:
            document = Document(index, number)
            first = max(0, (document.token_count - most) // 2)
            found = max(found, document.part(first, first + most).text.strip(), key=len)
    if not found:
        raise QueryError(mark("There is no text in the corpus to begin with."), reason="no-text-given")
    return found


def shuffled_words(text: str) -> str:
    """The words of a text in another order, the same each time."""
    words = text.split()
    random.Random(1).shuffle(words)
    return " ".join(words)
