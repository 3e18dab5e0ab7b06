"""The choice on the trace screen, and its marks and documents: pure functions of a trace."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial

import numpy as np

from explorer.analyses.search.needle import Needle
from explorer.analyses.trace.documents import TraceDocument
from explorer.analyses.trace.measures.coverage import LEAST
from explorer.analyses.trace.occurrences import Snippet
from explorer.analyses.trace.selection import spelled_needle
from explorer.analyses.trace.trace import Trace
from explorer.backends.documents.document import document_title
from explorer.gui.presenting.requests import DocumentRequest
from explorer.gui.screens.trace.text.mark_facts import best_source, longest_hint, passage_hint, span_hint, with_spans
from explorer.gui.screens.trace.work import TraceAnswer
from explorer.i18n import mark, tr, trn


class Show(Enum):
    """Which parts of the text and which documents are shown."""

    ALL = "all"
    HIGH = "high"
    COVERED = "covered"


@dataclass(frozen=True)
class Choice:
    """The user's choice: a passage by its number, one span of it, the longest match, a document.

    span: None for all of the passage. longest: the longest match, which is in the passage if there is one. A document
    is chosen on top of the others: then its own words are marked.
    """

    passage: int | None = None
    span: int | None = None
    longest: bool = False
    document: TraceDocument | None = None

    def with_document(self, document: TraceDocument | None) -> Choice:
        """The same choice with another document."""
        return replace(self, document=document)


@dataclass(frozen=True)
class Filter:
    """What is shown of a trace besides the choice: the filter, and the passages that are hidden."""

    show: Show = Show.ALL
    hidden: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Mark:
    """A mark: characters [start, end), its relevance ("" means low), what makes its tool tip, its passage (-1: none).

    source: gives the title of its best document and the words there; None if no document is known. chosen: in the color
    of marks. outlined: only a frame, used for the other spans of a chosen passage. gray: without
    relevance, used for all tokens in matches.
    """

    start: int
    end: int
    level: str
    hint: Callable[[], str]
    passage: int = -1
    source: Callable[[], tuple[str, str] | None] | None = None
    chosen: bool = False
    outlined: bool = False
    gray: bool = False


@dataclass(frozen=True)
class Group:
    """Documents under a heading; "" for none. spans: those that their cards show; None: their longest match."""

    title: str
    documents: tuple[TraceDocument, ...]
    spans: frozenset[int] | None = None


def marks_of(answer: TraceAnswer, choice: Choice, view: Filter) -> tuple[Mark, ...]:
    """Choose the marks of a trace; runs of only white space are left out, since they would not be visible.

    Returns: Characters and looks of the marks; later ones are on top.
    """
    if choice == Choice() and not view.hidden:
        # The same for as long as the answer is shown.
        name = view.show.value
        if name not in answer.memo:
            answer.memo[name] = _marks_of(answer, choice, view)
        kept: tuple[Mark, ...] = answer.memo[name]
        return kept
    return _marks_of(answer, choice, view)


def _marks_of(answer: TraceAnswer, choice: Choice, view: Filter) -> tuple[Mark, ...]:
    trace = answer.trace
    marks = _covered(trace) if view.show is Show.COVERED else _shaded(answer, choice, view)
    if choice.document is not None:
        marks += _of_document(answer, choice, choice.document)
    else:
        marks += _chosen(answer, choice)
    marks += _outlines(answer, choice)
    return tuple(one for one in marks if trace.text[one.start : one.end].strip())


def shown_passages(answer: TraceAnswer, view: Filter) -> tuple[int, ...]:
    """Give the numbers of the passages that pass the filter and are not hidden."""
    return tuple(
        number
        for number, passage in enumerate(answer.passages)
        if number not in view.hidden and (view.show is not Show.HIGH or passage.level == "high")
    )


def _shaded(answer: TraceAnswer, choice: Choice, view: Filter) -> list[Mark]:
    """The passages in the shade of their relevance, except for the chosen one."""
    # The chosen one is left out: its own mark may cover a part of it only, and a shade below would show through.
    return [_shade(answer, number) for number in shown_passages(answer, view) if number != choice.passage]


def _shade(answer: TraceAnswer, number: int) -> Mark:
    passage = answer.passages[number]
    hint, source = partial(passage_hint, answer, number), partial(best_source, answer, number)
    return Mark(passage.start, passage.end, passage.level, hint, number, source)


def _covered(trace: Trace) -> list[Mark]:
    """All runs of tokens in matches of at least `LEAST` tokens."""
    # With an end on both sides, each run has an edge where it begins and one where it ends, also at the text's ends.
    inside = np.concatenate([[False], trace.covering >= LEAST, [False]])
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    of_words = trace.unit == "words"
    name = mark("In matches of {least} words or more") if of_words else mark("In matches of {least} tokens or more")
    hint = partial(tr, name, least=LEAST)
    return [
        Mark(int(trace.token_starts[start]), int(trace.token_ends[end - 1]), "", hint, gray=True)
        for start, end in edges.reshape(-1, 2).tolist()
    ]


def _chosen(answer: TraceAnswer, choice: Choice) -> list[Mark]:
    """The exact choice: a passage, one span of it, or the longest match."""
    trace, longest = answer.trace, answer.trace.longest_passage
    # -1 where the longest match is in no passage, as with a density that keeps none of its spans.
    number = -1 if choice.passage is None else choice.passage
    if choice.longest and longest is not None:
        level = "" if choice.passage is None else answer.passages[choice.passage].level
        hint = partial(longest_hint, trace, longest.length)
        return [Mark(longest.start, longest.end, level, hint, number, chosen=True)]
    if choice.passage is None:
        return []
    whole = answer.passages[choice.passage] if choice.span is None else trace.spans[choice.span]
    hint = partial(passage_hint, answer, number) if choice.span is None else partial(span_hint, trace, choice.span)
    source = partial(best_source, answer, number)
    return [Mark(whole.start, whole.end, whole.level, hint, number, source, chosen=True)]


def _outlines(answer: TraceAnswer, choice: Choice) -> list[Mark]:
    """Frames around the other spans of the chosen passage."""
    if choice.passage is None or (choice.span is None and not choice.longest and choice.document is None):
        return []
    spans = ((number, answer.trace.spans[number]) for number in answer.passages[choice.passage].spans)
    return [
        Mark(span.start, span.end, span.level, partial(span_hint, answer.trace, number), choice.passage, outlined=True)
        for number, span in spans
        if number != choice.span
    ]


def held_runs(trace: Trace, document: TraceDocument) -> tuple[tuple[int, int], ...]:
    """Find what a document contains of the text word for word: its passages, and spans outside them.

    Returns: First character and one past the last of each run, ascending. None is inside another; two may overlap, and
        then the document does not contain them as one.
    """
    # Passages have five words or more; a shorter span that was looked up is held, too, and must not be lost.
    runs = [(passage.start, passage.end) for passage in document.passages]
    runs += [(trace.spans[number].start, trace.spans[number].end) for number in document.spans]
    kept: list[tuple[int, int]] = []
    # The longest of those with one start comes first; one that ends no later than the last is inside it.
    for start, end in sorted(set(runs), key=lambda run: (run[0], -run[1])):
        if not kept or end > kept[-1][1]:
            kept.append((start, end))
    return tuple(kept)


def _of_document(answer: TraceAnswer, choice: Choice, document: TraceDocument) -> list[Mark]:
    """What a document contains of the text, or of the chosen passage."""
    marks, before = [], -1
    hint = partial(tr, mark("The chosen document contains these words"))
    # With a passage chosen, only the document's part of it: the rest of the text keeps its shades.
    first, last = 0, len(answer.trace.text)
    if choice.passage is not None:
        first, last = answer.passages[choice.passage].start, answer.passages[choice.passage].end
    for begin, stop in held_runs(answer.trace, document):
        start, end = max(begin, first), min(stop, last)
        if start >= end:
            continue
        number = passage_at(answer, start)
        marks.append(Mark(start, end, document.level, hint, number, chosen=True))
        if start < before:
            # A frame shows that two runs overlap and do not occur as one in the document.
            marks.append(Mark(start, end, document.level, hint, number, outlined=True))
        before = end
    return marks


def passage_at(answer: TraceAnswer, character: int) -> int:
    """Find the passage with a character.

    Returns: The number of the passage; -1 if the character is in none.
    """
    # Passages ascend and do not overlap, so the last one that begins at the character or before is the only candidate.
    number = bisect_left(answer.passages, character + 1, key=lambda passage: passage.start) - 1
    return number if number >= 0 and character < answer.passages[number].end else -1


def groups_of(answer: TraceAnswer, choice: Choice, view: Filter) -> tuple[Group, ...]:
    """Choose the documents to list, those of the choice first.

    view: The filter, which holds while nothing is chosen.
    Returns: The documents, best first in each group; no group is empty.
    """
    trace = answer.trace
    if choice.longest and trace.longest_passage is not None:
        wanted = frozenset(trace.longest_passage.documents)
        # The measure names documents of the first thousand occurrences; only those that were looked up have cards.
        groups = [Group("", tuple(found for found in trace.documents if found.number in wanted))]
    elif choice.passage is None:
        return tuple(_filled([Group("", tuple(_filtered(trace.documents, view)))]))
    else:
        spans = chosen_spans(answer, choice)
        assert spans is not None
        groups = [Group("", with_spans(trace.documents, spans), spans)]
    # What is not chosen is listed below a divider, not hidden: a choice must not make evidence disappear.
    rest = _without(trace.documents, groups)
    if choice.passage is not None:
        parts = frozenset(answer.passages[choice.passage].spans)
        sharing = with_spans(rest, parts)
        title = trn(
            "{n:,} document shares another part of this passage",
            "{n:,} documents share other parts of this passage",
            len(sharing),
        )
        groups.append(Group(title, sharing, parts))
        rest = _without(rest, groups)
    title = trn("{n:,} document shares other passages", "{n:,} documents share other passages", len(rest))
    return tuple(_filled([*groups, Group(title, rest)]))


def _filled(groups: Iterable[Group]) -> Iterator[Group]:
    return (group for group in groups if group.documents)


def _filtered(documents: Iterable[TraceDocument], view: Filter) -> Iterator[TraceDocument]:
    for document in documents:
        if view.show is Show.HIGH and document.level != "high":
            continue
        if view.show is Show.COVERED and document.longest.tokens < LEAST:
            continue
        yield document


def _without(documents: Iterable[TraceDocument], groups: Iterable[Group]) -> tuple[TraceDocument, ...]:
    listed = {document.number for group in groups for document in group.documents}
    return tuple(document for document in documents if document.number not in listed)


def chosen_spans(answer: TraceAnswer, choice: Choice) -> frozenset[int] | None:
    """Give the numbers of the chosen spans.

    Returns: The numbers; None for all spans.
    """
    if choice.passage is None or choice.longest:
        return None
    return frozenset(answer.passages[choice.passage].spans if choice.span is None else (choice.span,))


def passages_in(answer: TraceAnswer, document: TraceDocument) -> tuple[int, int]:
    """Count the passages that a document contains word for word, and those of which it contains a part.

    Returns: The number of whole passages, and that of others of which it contains something.
    """
    held, whole = set[int](), set[int]()
    for start, end in held_runs(answer.trace, document):
        # A run may begin before a passage, which begins at a word, and reach into several.
        first = bisect_right(answer.passages, start, key=lambda passage: passage.end)
        last = bisect_left(answer.passages, end, key=lambda passage: passage.start)
        held.update(range(first, last))
        within = ((n, answer.passages[n]) for n in range(first, last))
        whole.update(n for n, passage in within if start <= passage.start and passage.end <= end)
    return len(whole), len(held - whole)


def request_of(trace: Trace, document: TraceDocument, shown: Snippet) -> DocumentRequest:
    """Ask for a whole document at the snippet that is shown, with its passages and every span of the trace marked."""
    if trace.unit == "words":
        needle = spelled_needle((document.longest, *document.snippets))
        return DocumentRequest(document.number, shown.offset, shown.tokens, needle)
    runs = [(passage.token_start, passage.token_end) for passage in document.passages]
    # All spans, not only those of this document: the panel marks what it finds, and a document may hold more of them
    # than the places that were looked up.
    runs += [(span.token_start, span.token_end) for span in trace.spans]
    patterns = tuple(dict.fromkeys(tuple(trace.token_ids[start:end].tolist()) for start, end in runs))
    return DocumentRequest(document.number, shown.offset, shown.tokens, Needle(patterns))


def quotation(answer: TraceAnswer, number: int, text: str) -> str:
    """Quote a passage with the most relevant document that has a part of it.

    Returns: The words, and a line with the document; only the words if none was looked up.
    """
    # Best first, as in the list, so that the source that is quoted is the one that is seen first.
    holding = with_spans(answer.trace.documents, frozenset(answer.passages[number].spans))
    if not holding:
        return text
    whole = next((document for document in holding if _has_whole(answer, number, document)), None)
    document = whole or holding[0]
    title = document_title(document.metadata, document.number)
    source = tr("{title}, document {number:,}", title=title, number=document.number + 1)
    if whole is None:
        return tr("“{quote}”\nin parts in {source}", quote=text, source=source)
    return tr("“{quote}”\n{source}", quote=text, source=source)


def _has_whole(answer: TraceAnswer, number: int, document: TraceDocument) -> bool:
    passage = answer.passages[number]
    return any(start <= passage.start and passage.end <= end for start, end in held_runs(answer.trace, document))
