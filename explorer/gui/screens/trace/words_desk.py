"""The word index in which texts are traced: opened, made at once if that is quick, or made on demand. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from explorer.analyses.trace.in_words import has_words, words_for
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken
from explorer.errors import CorpusError
from explorer.gui.index.word_index import QUICK_TOKENS, most_bytes, offer
from explorer.gui.presenting.hints import told
from explorer.gui.presenting.job import Job
from explorer.gui.presenting.presenter import Presenter, Slot
from explorer.i18n import tr


@dataclass(frozen=True, eq=False)
class TracedWords:
    """What is known of the words of the open index.

    backend: The words; None while they are not open.
    most: How many bytes their index takes at most, where it has to be made first; 0 otherwise.
    awaited: Whether they are being opened or made.
    missing: Why the index has no words; "" if it has, or if that is not known.
    """

    backend: Backend | None = None
    most: int = 0
    awaited: bool = False
    missing: str = ""

    @property
    def offered(self) -> tuple[str, str]:
        """A line and what making the index takes; empty if there is nothing to make."""
        if not self.most or self.awaited:
            return "", ""
        return offer(self.most, tr("Until then, the text is traced in tokens."))


class WordsDesk(Presenter[TracedWords]):
    """Opens the words of an index, and makes them on demand.

    slot: Opens and makes: minutes, for a large index.
    fail: Called with the reason why they could not be opened or made.
    """

    def __init__(self, slot: Slot, fail: Callable[[CorpusError], None]) -> None:
        super().__init__(TracedWords())
        self._slot, self._fail_with = slot, fail
        self._index: Backend | None = None

    def use_index(self, index: Backend | None) -> None:
        """Use the words of another index."""
        self._slot.cancel()
        self._index = index
        self._show(TracedWords())

    def open(self) -> None:
        """Open the words if they are made, or can be made in a moment."""
        state = self.state
        if not (state.backend is not None or state.awaited or state.most or state.missing):
            self._run(make=False)

    def make(self) -> None:
        """Make the word index, and open it."""
        if not self.state.awaited:
            self._run(make=True)

    def stop(self) -> None:
        """Stop making it; nothing of it is left."""
        self._slot.cancel()
        self._show(TracedWords(most=0 if self._index is None else most_bytes(self._index)))

    def _run(self, make: bool) -> None:
        index = self._index
        if index is None:
            return
        self.change(awaited=True)
        report = self._slot.reporter()

        def opened(cancel: CancelToken) -> TracedWords:
            if make:
                return TracedWords(words_for(index, report, cancel))
            try:
                if has_words(index) or index.token_count <= QUICK_TOKENS:
                    return TracedWords(words_for(index, report, cancel))
            except CorpusError as error:
                # Nobody asked for words: the text is traced in tokens, and the switch has the reason.
                return TracedWords(missing=told(error))
            return TracedWords(most=most_bytes(index))

        # Only what takes long is named: it is asked about before the window closes.
        self._slot.run(opened, self._show, self._fail, Job(tr("Word index"), self.stop) if make else None)

    def _show(self, found: TracedWords) -> None:
        self.change(**vars(found))

    def _fail(self, error: CorpusError) -> None:
        self.change(awaited=False)
        self._fail_with(error)
