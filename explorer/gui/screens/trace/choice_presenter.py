"""Chooses parts of a trace and lists their documents; looks up what is selected in the text. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from explorer.errors import CorpusError
from explorer.gui.answer import Answer
from explorer.gui.presenter import Presenter, Slot
from explorer.gui.requests import DocumentRequest
from explorer.gui.screens.trace.cards import shown_snippet
from explorer.gui.screens.trace.choice import Choice, chosen_spans, request_of
from explorer.gui.screens.trace.choice_state import ALL, ChoiceState, cards_of
from explorer.gui.screens.trace.work import TraceAnswer, select
from explorer.trace.selection import Selection


class ChoicePresenter(Presenter[ChoiceState]):
    """The choice among the spans and documents of a trace.

    Parameters
    ----------
    slot
        Looks up selections.
    open_document
        Called with a document that is to be shown.
    """

    def __init__(self, slot: Slot, open_document: Callable[[DocumentRequest], None]) -> None:
        super().__init__(ChoiceState())
        self._slot = slot
        self._open_document = open_document

    def follow(self, answer: Answer[TraceAnswer], is_open: bool) -> None:
        """Take what became of the newest text; another trace clears the choice.

        Parameters
        ----------
        answer
            The answer that is shown. A new one fits the text in the editor.
        is_open
            Whether an index is open.
        """
        # Asked, failed or stopped: the trace that is shown is the same, and so is what is chosen of it.
        if answer.value is self.state.answer.value:
            self.change(answer=answer, is_open=is_open)
            return
        state = self.state
        self._slot.cancel()
        self._list(answer=answer, is_open=is_open, fits=answer.value is not None, choice=Choice(), selection=Answer())
        if state.selection.awaited:
            # The same text was traced with other settings, and is still selected.
            self.select(state.selected)

    def compare(self, text: str) -> None:
        """Take the text of the editor after an edit: an answer about a selection in the earlier text is dropped."""
        trace = self.state.trace
        fits = trace is not None and trace.text == text
        self.change(fits=fits)
        if not fits:
            self.unselect()

    def clear(self) -> None:
        """Show all spans and all documents."""
        self._choose(Choice())

    def choose_region(self, number: int) -> None:
        """Choose all spans of a region; the chosen one again, or -1, clears the choice."""
        trace = self.state.trace
        if trace is None or number < 0 or number == self.state.choice.region:
            self.clear()
            return
        spans = trace.merged[number].spans
        # A region of one span is that span.
        self._choose(Choice(region=number, span=spans[0] if len(spans) == 1 else None))

    def choose_span(self, number: int) -> None:
        """Choose one span of the chosen region, or `ALL`."""
        region = self.state.choice.region
        if region is not None:
            self._choose(Choice(region=region, span=None if number == ALL else number))

    def choose_longest(self, chosen: bool) -> None:
        """Choose the longest passage, or clear the choice."""
        self._choose(Choice(passage=chosen))

    def choose_document(self, row: int) -> None:
        """Mark what the document of a card contains; of a selection, that is marked already."""
        if self.state.selection.value is None and 0 <= row < len(self.state.cards):
            self.change(choice=self.state.choice.with_document(self.state.cards[row].document))

    def _choose(self, choice: Choice) -> None:
        """List the documents of a choice."""
        if self.state.trace is not None:
            # A choice replaces a selection, also one whose answer is on its way.
            self._slot.cancel()
            self._list(choice=choice, selection=Answer())

    def merge(self, fold: bool) -> None:
        """Show documents of one source on one card, or each on its own."""
        if fold != self.state.fold:
            # The chosen document may share a card with others, whose best one is shown.
            self._list(fold=fold, choice=self.state.choice.with_document(None))

    def _list(self, **changes: Any) -> None:
        """Change the state, and list the documents again."""
        answer, choice, selection, fold = (
            changes.get(name, getattr(self.state, name)) for name in ("answer", "choice", "selection", "fold")
        )
        trace = None if answer.value is None else answer.value.trace
        self.change(**changes, cards=cards_of(trace, choice, selection.value, fold))

    def open(self, row: int) -> None:
        """Show the whole document of a card, with every span of this trace marked, or the selection."""
        state = self.state
        if state.trace is None or not 0 <= row < len(state.cards):
            return
        document = state.cards[row].document
        if state.selection.value is not None:
            shown = document.snippets[0]
            needle = state.selection.value.needle
            self._open_document(DocumentRequest(document.number, shown.offset, shown.tokens, needle))
            return
        shown = shown_snippet(document, chosen_spans(state.trace, state.choice))
        self._open_document(request_of(state.trace, document, shown))

    def select(self, text: str) -> None:
        """Look up exactly this part of the text, whatever its length."""
        answer = self.state.answer.value
        if answer is None or not text.strip():
            return
        # With the settings and the index of the trace that is shown, so that the figures can be compared.
        request = answer.request
        self.change(selected=text, selection=self.state.selection.asked())
        self._slot.run(lambda cancel: select(request, text, cancel), self._take, self._fail)

    def unselect(self) -> None:
        """Something else is being selected: an answer about the earlier selection is dropped."""
        if self.state.selection.awaited:
            self._slot.cancel()
            self.change(selection=self.state.selection.stopped())

    def _take(self, found: Selection) -> None:
        self._list(selection=self.state.selection.arrived(found), choice=Choice())

    def _fail(self, error: CorpusError) -> None:
        self.change(selection=self.state.selection.failed(error))
