"""What the page of a text side by side with a document shows, and what it does. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.hints import told
from explorer.gui.presenting.presenter import Presenter, Slot
from explorer.gui.presenting.requests import DocumentRequest, Request
from explorer.gui.screens.trace.beside.work import SideAnswer, SideRequest, compare
from explorer.gui.screens.trace.documents.cards import RELEVANCE
from explorer.gui.screens.trace.documents.choice_presenter import ChoicePresenter
from explorer.i18n import numeral, tr, trn


@dataclass(frozen=True)
class SideFigure:
    """A number of the comparison, its words, and its definition."""

    number: str
    words: str
    hint: str


@dataclass(frozen=True, eq=False)
class SideState:
    """A text side by side with a document.

    shown: Whether the page is shown.
    title: The document that was asked for.
    difference: The number of the difference that is framed, from 0; -1 for none.
    """

    shown: bool = False
    title: str = ""
    answer: Answer[SideAnswer] = field(default_factory=Answer)
    difference: int = -1

    @property
    def notice(self) -> str:
        """What went wrong, or what is not compared; "" for nothing."""
        if self.answer.error is not None:
            return told(self.answer.error)
        found = self.answer.value
        if found is None:
            return ""
        parts = []
        if found.last - found.first < found.of:
            parts.append(
                tr(
                    "The document is long: tokens {first:,} to {last:,} of {of:,} are compared, around the passage.",
                    first=found.first + 1,
                    last=found.last,
                    of=found.of,
                )
            )
        if not found.comparison.exact:
            parts.append(tr("The texts repeat themselves: their most frequent words were not compared."))
        return " ".join(parts)

    @property
    def level(self) -> str:
        """The relevance of the document, as on its card."""
        found = self.answer.value
        return "" if found is None else tr(RELEVANCE.get(found.request.document.level, ""))

    @property
    def figures(self) -> tuple[SideFigure, ...]:
        """The numbers above the texts."""
        found = self.answer.value
        if found is None:
            return ()
        # The share is of the words of the traced text: a document that has all of it may be far longer.
        comparison = found.comparison
        least = comparison.least
        return (
            SideFigure(
                numeral(comparison.share, ".0%"),
                tr("of the words agree"),
                tr(
                    "{same:,} of the {words:,} words of your text are in runs of {least} or more that the document has "
                    "in the same order",
                    same=comparison.same,
                    words=len(comparison.left),
                    least=least,
                ),
            ),
            SideFigure(
                numeral(comparison.longest),
                trn("word, longest run", "words, longest run", comparison.longest),
                tr("The most words in a row that both texts have. Punctuation is not compared."),
            ),
            SideFigure(
                numeral(len(comparison.differences)),
                trn("difference", "differences", len(comparison.differences)),
                tr("Places between the runs where one of the texts has other words, or more words"),
            ),
        )

    @property
    def can_step(self) -> bool:
        """Whether there are differences."""
        return self.answer.value is not None and len(self.answer.value.comparison.differences) > 0

    @property
    def place(self) -> str:
        """Which difference is framed."""
        found = self.answer.value
        if found is None or self.difference < 0:
            return ""
        return tr("{n:,} of {all:,}", n=self.difference + 1, all=len(found.comparison.differences))

    @property
    def left_facts(self) -> str:
        """The size of the traced text."""
        found = self.answer.value
        if found is None:
            return ""
        trace, words = found.request.trace, _words(len(found.comparison.left))
        # Words are cut by another rule where they are looked up: a second number of words would puzzle.
        return words if trace.unit == "words" else f"{words} · {trace.units(trace.token_count)}"

    @property
    def right_facts(self) -> str:
        """The size of the document."""
        found = self.answer.value
        return "" if found is None else _words(len(found.comparison.right))


def _words(number: int) -> str:
    return trn("{n:,} word", "{n:,} words", number)


class SidePresenter(Presenter[SideState]):
    """Compares the traced text with one document.

    ask: Called with a document that is to be shown.
    choice: Has the traced text and its cards.
    """

    def __init__(self, slot: Slot, ask: Callable[[Request], None], choice: ChoicePresenter) -> None:
        super().__init__(SideState())
        self._slot, self._ask, self._choice = slot, ask, choice

    def compare(self, row: int) -> None:
        """Show the document of a card side by side with the text; nothing happens for a divider, and outside."""
        answer, card = self._choice.state.answer.value, self._choice.state.card(row)
        if answer is None or card is None:
            return
        request = SideRequest(answer.request.index, answer.trace, card.document, card.shown.offset)
        # Another document's texts are of no use here, not even dimmed.
        self.change(shown=True, title=card.title, answer=Answer[SideAnswer]().asked(), difference=-1)
        # Whoever opens one document after the other gets only the last: the slot drops every earlier answer.
        self._slot.run(lambda cancel: compare(request, cancel), self._take, self._fail)

    def _take(self, found: SideAnswer) -> None:
        self.change(answer=self.state.answer.arrived(found))

    def _fail(self, error: CorpusError) -> None:
        self.change(answer=self.state.answer.failed(error))

    def step(self, by: int) -> None:
        """Frame the next difference (1) or the previous one (-1); after the last comes the first."""
        found = self.state.answer.value
        if found is None or not found.comparison.differences:
            return
        at = self.state.difference
        # Without a framed one, a step back frames the last: -1 modulo their number.
        number = at + by if at >= 0 else (0 if by > 0 else -1)
        self.change(difference=number % len(found.comparison.differences))

    def open(self) -> None:
        """Show the whole document at the place that its card shows."""
        found = self.state.answer.value
        if found is not None:
            # At the card's place and not at the framed difference: the panel counts in tokens, the comparison in words.
            self._ask(DocumentRequest(found.request.document.number, found.request.offset))

    def close(self) -> None:
        """Return to all documents."""
        # Called by Esc and by the button, and by `TracePresenter` when the trace is not shown any longer. A late answer
        # would keep both texts in memory for a page that nobody sees.
        self._slot.cancel()
        self.change(shown=False, answer=Answer(), difference=-1)
