"""What is chosen of a trace, and the documents that are listed for it. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial

from explorer.analyses.trace.passages import TextPassage
from explorer.analyses.trace.selection import Selection
from explorer.analyses.trace.summary import totals_of
from explorer.analyses.trace.trace import Trace
from explorer.chart import Chart
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.hints import told
from explorer.gui.screens.trace.describe import (
    not_found_text,
    nothing_traced,
    selection_text,
    source_of,
    why_no_documents,
)
from explorer.gui.screens.trace.documents.cards import Card, Entry, make_entries, selection_entries
from explorer.gui.screens.trace.documents.choice import (
    Choice,
    Filter,
    Mark,
    Show,
    groups_of,
    marks_of,
    quotation,
    shown_passages,
)
from explorer.gui.screens.trace.figures import Figure, figures_of
from explorer.gui.screens.trace.text.mark_facts import span_hint
from explorer.gui.screens.trace.work import TraceAnswer, make_charts
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import counted, tr, trn

ALL = -1
"""In place of the number of a span: all spans of the passage."""
LONGEST = -2
"""The longest match of the text."""
MORE = -3
"""The spans of the passage that have no chip yet."""
_LONGEST_TEXT = 28
_MOST_CHIPS = 6


class Tab(IntEnum):
    """The tabs beside the text, in their order."""

    DOCUMENTS = 0
    NOVELTY = 1
    SOURCES = 2
    PROFILE = 3


@dataclass(frozen=True)
class Chip:
    """One of several spans of a passage, or all of them; number: of the span, or `ALL`, `LONGEST`, `MORE`."""

    text: str
    hint: str
    number: int
    chosen: bool


@dataclass(frozen=True, eq=False)
class ChoiceState:
    """A trace, what is chosen of it, and its documents.

    is_open: Whether an index is open.
    fits: Whether the editor still contains the traced text, so that the trace's characters are the editor's.
    choice: What is chosen of the trace.
    filter: Which passages and documents are shown.
    every_chip: Whether all spans of a long passage have chips.
    fold: Whether documents of one source share a card.
    selected: The part of the text that was looked up last.
    selection: Its occurrences. While there are any, or none were found, they are what is shown, and not the choice.
    entries: The documents, with dividers.
    growing: Whether the text is still being written: documents are looked up when it is complete.
    """

    is_open: bool = False
    answer: Answer[TraceAnswer] = field(default_factory=Answer)
    fits: bool = False
    choice: Choice = field(default_factory=Choice)
    filter: Filter = field(default_factory=Filter)
    tab: Tab = Tab.DOCUMENTS
    every_chip: bool = False
    fold: bool = True
    selected: str = ""
    selection: Answer[Selection] = field(default_factory=Answer)
    entries: tuple[Entry, ...] = ()
    growing: bool = False

    @property
    def trace(self) -> Trace | None:
        """The trace that is shown."""
        return None if self.answer.value is None else self.answer.value.trace

    @property
    def passages(self) -> tuple[TextPassage, ...]:
        """The passages of the trace."""
        return () if self.answer.value is None else self.answer.value.passages

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The numbers above the text; none without a trace."""
        answer = self.answer.value
        # Of the trace alone: the numbers stay what they are whatever is filtered, chosen or hidden.
        return () if answer is None else figures_of(totals_of([answer.trace], [answer.passages]), self.filter.show)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards without the dividers."""
        return tuple(entry for entry in self.entries if isinstance(entry, Card))

    @property
    def marks(self) -> tuple[Mark, ...]:
        """What is marked in the text, as characters of the traced text."""
        return () if self.answer.value is None else marks_of(self.answer.value, self.choice, self.filter)

    @property
    def shown(self) -> tuple[int, ...]:
        """The numbers of the passages that are shown."""
        return () if self.answer.value is None else shown_passages(self.answer.value, self.filter)

    @property
    def heading(self) -> str:
        """What the documents have in common."""
        trace, choice = self.trace, self.choice
        if trace is None:
            return ""
        # A selection that was looked up replaces what is listed for the choice, until the choice changes.
        if self.selection.value is not None:
            return selection_text(self.selection.value)
        if choice.longest and trace.longest_passage is not None:
            return tr("Longest match: {length}", length=trace.units(trace.longest_passage.length))
        if choice.passage is None:
            return self._every
        return tr("Passage {number:,} of {count:,}", number=choice.passage + 1, count=len(self.passages))

    @property
    def _every(self) -> str:
        assert self.trace is not None
        count = len({card.document.number for card in self.cards})
        if self.filter.show is Show.HIGH:
            return tr("High relevance only")
        if self.filter.show is Show.COVERED:
            return (
                tr("Matches of 5 words or more only")
                if self.trace.unit == "words"
                else tr("Matches of 5 tokens or more only")
            )
        return tr("All documents") if count else ""

    @property
    def hidden(self) -> str:
        """The number of passages that are hidden; "" for none."""
        return trn("{n:,} hidden", "{n:,} hidden", len(self.filter.hidden)) if self.filter.hidden else ""

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of documents: a line, and what to do."""
        if self.trace is None:
            return nothing_traced(self.is_open)
        if self.growing:
            return tr("Still being written"), tr("Documents are looked up when the answer is complete.")
        if self.selection.value is not None:
            return not_found_text(self.selection.value)
        if self.filter.show is not Show.ALL:
            return tr("No documents"), tr("No document passes the filter. Click the number of passages to show all.")
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
    def chosen_row(self) -> int:
        """The row of the chosen document's card; -1 for none."""
        chosen = self.choice.document
        cards = enumerate(self.entries)
        found = (row for row, entry in cards if isinstance(entry, Card) and entry.document is chosen)
        return next(found, -1) if chosen is not None else -1

    def card(self, row: int) -> Card | None:
        """The card in a row; None for a divider, and outside."""
        entry = self.entries[row] if 0 <= row < len(self.entries) else None
        return entry if isinstance(entry, Card) else None

    def source(self, row: int) -> str:
        """What a card shows, with the document that it is from; "" outside."""
        card = self.card(row)
        return "" if card is None else source_of(card.document, card.shown)

    def quoted(self, number: int, text: str) -> str:
        """Quote a passage with the best document that contains it, or a part of it.

        number: The number of the passage; of a passage that does not exist, only the words are given.
        """
        answer = self.answer.value
        return text if answer is None or not 0 <= number < len(answer.passages) else quotation(answer, number, text)

    @property
    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes charts of novelty and of the longest match along the text; None if nothing is shown."""
        # Bound here, on the interface thread: the work on the other one must not read the state.
        answer = self.answer.value
        return None if answer is None else partial(make_charts, answer)

    @property
    def chosen_text(self) -> str:
        """The chosen passage, span or longest match, as it is in the text; "" for none."""
        trace, choice = self.trace, self.choice
        if trace is None:
            return ""
        if choice.longest and trace.longest_passage is not None:
            return trace.text[trace.longest_passage.start : trace.longest_passage.end]
        if choice.passage is None:
            return ""
        # As it is in the text, with line ends: it may be searched for, and white space counts there.
        chosen = self.passages[choice.passage] if choice.span is None else trace.spans[choice.span]
        return trace.text[chosen.start : chosen.end]

    @property
    def chips(self) -> tuple[Chip, ...]:
        """The spans of the chosen passage, as something to choose; one alone is not offered."""
        trace, number = self.trace, self.choice.passage
        if trace is None or number is None or len(self.passages[number].spans) < 2:
            return ()
        passage = self.passages[number]
        # In a copied text, one passage has all spans. The longest ones are the strongest evidence.
        spans = passage.spans if self.every_chip else _longest_of(trace, passage.spans, self.choice.span)
        found = [
            Chip(
                tr("All ({count})", count=len(passage.spans)),
                tr("List the documents of all spans; the color shows what the selected one contains"),
                ALL,
                self.choice.span is None and not self.choice.longest,
            )
        ]
        if passage.longest and trace.longest_passage is not None:
            found.append(_longest_chip(trace, self.choice.longest))
        found += [_chip(trace, span, span == self.choice.span) for span in spans]
        # The last chip shows the others in place of itself; all of a long passage would push the documents out of view.
        left = len(passage.spans) - len(spans)
        if left:
            hint = tr("Show a chip for each span of this passage")
            found.append(Chip(trn("{n:,} more", "{n:,} more", left), hint, MORE, False))
        return tuple(found)


def _longest_of(trace: Trace, spans: tuple[int, ...], chosen: int | None) -> tuple[int, ...]:
    """The longest spans of a passage, and the chosen one, in the order of the text."""

    def rank(number: int) -> tuple[bool, int]:
        span = trace.spans[number]
        return number != chosen, span.token_start - span.token_end

    return tuple(sorted(sorted(spans, key=rank)[:_MOST_CHIPS]))


def _longest_chip(trace: Trace, chosen: bool) -> Chip:
    passage = trace.longest_passage
    assert passage is not None
    text = tr("Longest match, {length}", length=trace.units(passage.length))
    hint = tr("Mark the longest match, which is not cut at full stops, and list its documents")
    return Chip(text, hint, LONGEST, chosen)


def _chip(trace: Trace, number: int, chosen: bool) -> Chip:
    span = trace.spans[number]
    text = trace.text[span.start : span.end]
    # The hint has the span in full; the chip itself is short, so that three fit into a line.
    # Spans that overlap differ at their ends.
    ending = cell_text(text, ending=True, most=_LONGEST_TEXT)
    hint = "\n".join([cell_text(text), span_hint(trace, number)])
    return Chip(f"{ending}  {counted('hit', span.count)}", hint, number, chosen)


def entries_of(
    answer: TraceAnswer | None, choice: Choice, shown: Filter, selection: Selection | None, fold: bool
) -> tuple[Entry, ...]:
    """Make the cards of what is chosen.

    answer: The traced text; None for no cards.
    selection: A part of the text that was looked up; None: the choice counts.
    fold: Whether documents of one source share a card.
    Returns: The cards, best first, with dividers between groups.
    """
    if answer is None:
        return ()
    if selection is not None:
        return selection_entries(answer.trace, selection.documents, fold)
    return make_entries(answer, groups_of(answer, choice, shown), fold)
