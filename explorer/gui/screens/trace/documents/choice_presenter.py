"""Chooses parts of a trace and lists their documents; looks up what is selected in the text. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from explorer.analyses.trace.selection import Selection
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.presenter import Presenter, Slot
from explorer.gui.presenting.requests import DocumentRequest, Request, SearchText
from explorer.gui.screens.trace.documents.cards import Card, Entry
from explorer.gui.screens.trace.documents.choice import Choice, Filter, Show, request_of
from explorer.gui.screens.trace.documents.choice_state import ALL, LONGEST, MORE, ChoiceState, Tab, entries_of
from explorer.gui.screens.trace.figures import Jump
from explorer.gui.screens.trace.work import TraceAnswer, select


class ChoicePresenter(Presenter[ChoiceState]):
    """The choice among the passages and documents of a trace.

    ask: Called with a document that is to be shown, or a text that is to be searched.
    """

    def __init__(self, slot: Slot, ask: Callable[[Request], None]) -> None:
        super().__init__(ChoiceState())
        self._slot = slot
        self._ask = ask

    def follow(self, answer: Answer[TraceAnswer], is_open: bool, growing: bool = False) -> None:
        """Take what became of the newest text; another trace clears the choice.

        answer: The answer that is shown. A new one fits the text in the editor.
        growing: Whether the text is still being written.
        """
        # Asked, failed or stopped: the trace that is shown is the same, and so is what is chosen of it.
        if answer.value is self.state.answer.value:
            self.change(answer=answer, is_open=is_open, growing=growing)
            return
        state = self.state
        self._slot.cancel()
        kept = Filter(show=state.filter.show)
        fits = answer.value is not None
        self._list(
            answer=answer, is_open=is_open, growing=growing, fits=fits, choice=Choice(), filter=kept, selection=Answer()
        )
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
        """Show all passages and all documents."""
        self._choose(Choice())

    def show_only(self, show: Show) -> None:
        """Show all passages, or only those of high relevance, or all tokens in matches; the choice is cleared."""
        if self.state.trace is not None:
            self._slot.cancel()
            shown = replace(self.state.filter, show=show)
            self._list(filter=shown, choice=Choice(), selection=Answer())

    def press(self, target: Show | Jump) -> None:
        """Follow one of the numbers above the text: a filter, or a place."""
        if isinstance(target, Show):
            self.show_only(target)
        elif target is Jump.LONGEST:
            self.change(tab=Tab.DOCUMENTS)
            self.choose_longest()
        elif target is Jump.NOVELTY:
            self.change(tab=Tab.NOVELTY)
        else:
            self.change(tab=Tab.DOCUMENTS)
            self.show_only(Show.ALL)

    def show_tab(self, tab: Tab) -> None:
        """Show documents, novelty or sources."""
        self.change(tab=tab)

    def hide(self, number: int | None) -> None:
        """Do not mark this passage any more; None marks all of them again."""
        # From a menu that was opened before another text was traced.
        if number is not None and not 0 <= number < len(self.state.passages):
            return
        hidden = frozenset[int]() if number is None else self.state.filter.hidden | {number}
        self._list(filter=replace(self.state.filter, hidden=hidden), choice=Choice(), selection=Answer())

    def choose_passage(self, number: int) -> None:
        """Choose all spans of a passage; the chosen one again, or -1, clears the choice."""
        if not 0 <= number < len(self.state.passages) or number == self.state.choice.passage:
            self.clear()
            return
        spans = self.state.passages[number].spans
        # A passage of one span is that span.
        self._choose(Choice(passage=number, span=spans[0] if len(spans) == 1 else None))

    def step(self, by: int) -> None:
        """Choose the next (1) or the previous (-1) of the passages that are shown; after the last comes the first."""
        shown = self.state.shown
        if not shown:
            return
        at = self.state.choice.passage
        # Without a choice, or from one that is hidden, the first one of all, or the last.
        number = shown.index(at) + by if at in shown else (0 if by > 0 else -1)
        number = shown[number % len(shown)]
        if number != at:
            self.choose_passage(number)

    def choose_chip(self, number: int) -> None:
        """Choose one span of the chosen passage, `ALL`, the `LONGEST` match, or show the chips that are left."""
        passage = self.state.choice.passage
        if number == LONGEST:
            self.choose_longest()
        elif number == MORE:
            self.change(every_chip=True)
        elif passage is not None:
            self._choose(Choice(passage=passage, span=None if number == ALL else number), self.state.every_chip)

    def choose_longest(self) -> None:
        """Choose the longest match."""
        found = (number for number, passage in enumerate(self.state.passages) if passage.longest)
        self._choose(Choice(passage=next(found, None), longest=True), self.state.every_chip)

    def choose_document(self, row: int) -> None:
        """Mark what the document of a card contains; of a selection, that is marked already."""
        card = self.state.card(row)
        # A list that is drawn reports its current card, too.
        if self.state.selection.value is None and card is not None and card.document is not self.state.choice.document:
            self.change(choice=self.state.choice.with_document(card.document))

    def _choose(self, choice: Choice, every_chip: bool = False) -> None:
        """List the documents of a choice."""
        if self.state.trace is not None:
            # A choice replaces a selection, also one whose answer is on its way.
            self._slot.cancel()
            self._list(choice=choice, selection=Answer(), every_chip=every_chip)

    def merge(self, fold: bool) -> None:
        """Show documents of one source on one card, or each on its own."""
        if fold != self.state.fold:
            # The chosen document may share a card with others, whose best one is shown.
            self._list(fold=fold, choice=self.state.choice.with_document(None))

    def _list(self, **changes: Any) -> None:
        """Change the state, and list the documents again."""
        answer, choice, shown, selection, fold = (
            changes.get(name, getattr(self.state, name)) for name in ("answer", "choice", "filter", "selection", "fold")
        )
        entries = entries_of(answer.value, choice, shown, selection.value, fold)
        self.change(**{**changes, "entries": entries, "choice": _with_first(choice, entries)})

    def open(self, row: int) -> None:
        """Show the whole document of a card, with every span of this trace marked, or the selection."""
        card = self.state.card(row)
        if self.state.trace is None or card is None:
            return
        if self.state.selection.value is not None:
            needle = self.state.selection.value.needle
            number, shown = card.document.number, card.shown
            self._ask(DocumentRequest(number, shown.offset, shown.tokens, needle))
            return
        self._ask(request_of(self.state.trace, card.document, card.shown))

    def search(self, text: str) -> None:
        """List the lines with a text on the Search screen."""
        if text.strip():
            self._ask(SearchText(text))

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


def _with_first(choice: Choice, entries: tuple[Entry, ...]) -> Choice:
    """A whole passage with the first document: spans that overlap make one mark, which no document may contain."""
    if choice.passage is None or choice.span is not None or choice.longest or choice.document is not None:
        return choice
    return choice.with_document(next((entry.document for entry in entries if isinstance(entry, Card)), None))
