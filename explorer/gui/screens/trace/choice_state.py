"""What is chosen of a trace, and the documents that are listed for it. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.gui.answer import Answer
from explorer.gui.hints import told
from explorer.gui.screens.trace.cards import Card, make_cards
from explorer.gui.screens.trace.choice import Choice, Mark, chosen_spans, heading, listed, marks_of
from explorer.gui.screens.trace.describe import (
    longest_text,
    not_found_text,
    nothing_traced,
    selection_text,
    why_no_documents,
)
from explorer.gui.screens.trace.work import TraceAnswer
from explorer.gui.text_positions import cell_text
from explorer.i18n import counted, tr
from explorer.trace.selection import Selection
from explorer.trace.trace import Trace

ALL = -1
"""In place of the number of a span: all spans of the region."""
_LONGEST = 32


@dataclass(frozen=True)
class Chip:
    """One of several overlapping spans, or all of them; number: of the span, or `ALL`."""

    text: str
    hint: str
    number: int
    chosen: bool


@dataclass(frozen=True, eq=False)
class ChoiceState:
    """A trace, what is chosen of it, and its documents.

    Attributes
    ----------
    is_open
        Whether an index is open.
    answer
        The traced text.
    fits
        Whether the editor still contains the traced text, so that the trace's characters are the editor's.
    choice
        What is chosen of the trace.
    fold
        Whether documents of one source share a card.
    selected
        The part of the text that was looked up last.
    selection
        Its occurrences. While there are any, or none were found, they are what is shown, and not the choice.
    cards
        The documents.
    """

    is_open: bool = False
    answer: Answer[TraceAnswer] = field(default_factory=Answer)
    fits: bool = False
    choice: Choice = field(default_factory=Choice)
    fold: bool = True
    selected: str = ""
    selection: Answer[Selection] = field(default_factory=Answer)
    cards: tuple[Card, ...] = ()

    @property
    def trace(self) -> Trace | None:
        """The trace that is shown."""
        return None if self.answer.value is None else self.answer.value.trace

    @property
    def marks(self) -> tuple[Mark, ...]:
        """What is marked in the text, as characters of the traced text."""
        return () if self.trace is None else marks_of(self.trace, self.choice)

    def character_of(self, token: int) -> int | None:
        """The first character of a token in the editor; None if the text was edited."""
        return int(self.trace.token_starts[token]) if self.trace is not None and self.fits else None

    @property
    def heading(self) -> str:
        """What the documents have in common."""
        if self.trace is None:
            return tr("Documents")
        if self.selection.value is not None:
            return selection_text(self.selection.value)
        return heading(self.trace, self.choice, len(listed(self.trace, self.choice)))

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of documents: a line, and what to do."""
        if self.trace is None:
            return nothing_traced(self.is_open)
        if self.selection.value is not None:
            return not_found_text(self.selection.value)
        return why_no_documents(self.trace)

    @property
    def notice(self) -> str:
        """Why a selection could not be looked up; "" for nothing."""
        return "" if self.selection.error is None else told(self.selection.error)

    @property
    def dimmed(self) -> bool:
        """Whether the documents belong to an earlier text or selection."""
        return self.answer.dimmed or self.selection.dimmed

    @property
    def awaited(self) -> bool:
        """Whether other documents are on their way."""
        return self.answer.awaited or self.selection.awaited

    @property
    def can_clear(self) -> bool:
        """Whether something is chosen."""
        return self.choice != Choice() or self.selection.value is not None

    @property
    def longest(self) -> str:
        """The longest passage, as something to choose; "" if there is none."""
        return "" if self.trace is None else longest_text(self.trace)

    @property
    def chips(self) -> tuple[Chip, ...]:
        """The spans of the chosen region, as something to choose; one alone is not offered."""
        trace, region = self.trace, self.choice.region
        if trace is None or region is None or len(trace.merged[region].spans) < 2:
            return ()
        numbers = trace.merged[region].spans
        every = Chip(
            tr("All ({count})", count=len(numbers)),
            tr("Show the documents of all these spans"),
            ALL,
            self.choice.span is None,
        )
        return (every, *(_chip(trace, number, number == self.choice.span) for number in numbers))


def _chip(trace: Trace, number: int, chosen: bool) -> Chip:
    span = trace.spans[number]
    text = trace.text[span.start : span.end]
    # Spans that overlap differ at their ends.
    ending = cell_text(text, ending=True, most=_LONGEST)
    hint = tr("Show only the documents of this span: {text}", text=cell_text(text))
    return Chip(f"{ending}   {counted('hit', span.count)}", hint, number, chosen)


def cards_of(trace: Trace | None, choice: Choice, selection: Selection | None, fold: bool) -> tuple[Card, ...]:
    """Make the cards of what is chosen.

    Parameters
    ----------
    trace
        The traced text; None for no cards.
    choice
        What is chosen of it.
    selection
        A part of the text that was looked up; None: the choice counts.
    fold
        Whether documents of one source share a card.

    Returns
    -------
    tuple[Card, ...]
        The cards, best first.
    """
    if trace is None:
        return ()
    rule = trace.settings.relevance
    if selection is not None:
        # The selection is looked up as span 0.
        return make_cards(selection.documents, frozenset({0}), fold, rule)
    return make_cards(listed(trace, choice), chosen_spans(trace, choice), fold, rule)
