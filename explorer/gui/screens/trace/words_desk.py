"""The word index in which texts are traced: opened, made at once if that is quick, or made on demand. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from explorer.backends.protocol import Backend
from explorer.errors import CorpusError
from explorer.gui.hints import told
from explorer.gui.job import Job
from explorer.gui.presenter import Slot
from explorer.gui.word_index import QUICK_TOKENS, most_bytes, offer
from explorer.i18n import tr
from explorer.jobs import CancelToken
from explorer.trace.in_words import has_words, words_for

if TYPE_CHECKING:
    from explorer.gui.screens.trace.presenter import TracePresenter


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


class WordsDesk:
    """Opens the words, and makes them on demand.

    slot: Opens and makes: minutes, for a large index.
    presenter: Has the index and the settings, and traces when the words are there.
    """

    def __init__(self, slot: Slot, presenter: TracePresenter) -> None:
        self._slot, self._presenter = slot, presenter

    def forget(self) -> None:
        """Another index is open, which has other words."""
        self._slot.cancel()
        self._presenter.change(words=TracedWords())
        self._use(None)

    def open(self) -> None:
        """Open the words if the settings want them and they are made, or can be made in a moment."""
        state = self._presenter.state
        known = state.words.backend is not None or state.words.awaited or state.words.most or state.words.missing
        if state.in_words and state.corpus is not None and not known:
            self._run(state.corpus.index, make=False)

    def make(self) -> None:
        """Make the word index, and open it."""
        state = self._presenter.state
        if state.corpus is not None and not state.words.awaited:
            self._run(state.corpus.index, make=True)

    def stop(self) -> None:
        """Stop making it; nothing of it is left."""
        self._slot.cancel()
        corpus = self._presenter.state.corpus
        self._presenter.change(words=TracedWords(most=0 if corpus is None else most_bytes(corpus.index)))

    def _run(self, index: Backend, make: bool) -> None:
        self._presenter.change(words=replace(self._presenter.state.words, awaited=True), error=None)
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
        self._slot.run(opened, self._take, self._fail, Job(tr("Word index"), self.stop) if make else None)

    def _use(self, words: Backend | None) -> None:
        """Pass them to conversations, which are then traced in them if the settings want that."""
        self._presenter.conversation.change(words=words)
        self._presenter.ask.use_words(words)
        self.pass_on()

    def pass_on(self) -> None:
        """Have conversations and files traced with the settings that are in force."""
        presenter, settings = self._presenter, self._presenter.state.effective
        if settings != presenter.batch.state.settings:
            presenter.conversation.use_settings(settings)
            presenter.ask.use_settings(settings)
            presenter.batch.use_settings(settings)

    def _take(self, found: TracedWords) -> None:
        self._presenter.change(words=found)
        if found.backend is not None:
            self._use(found.backend)
        if found.backend is not None and self._presenter.state.in_words:
            # Of the tokens, other documents were excluded; the answer in tokens stays until this one is there.
            self._presenter.own.again()
            self._presenter.run()

    def _fail(self, error: CorpusError) -> None:
        self._presenter.change(words=replace(self._presenter.state.words, awaited=False))
        self._presenter.fail(error)
