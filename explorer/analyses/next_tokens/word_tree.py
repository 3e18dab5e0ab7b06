"""A word tree: the words around a context, branch by branch (Wattenberg and Viégas, "The Word Tree", 2008).

After the context, branches are counted with the suffix array. Before it, they are read from its occurrences, since an
array of suffixes is not sorted by what comes before them; of many occurrences, from a sample.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from explorer.analyses.next_tokens.next_words import (
    NextWord,
    NextWords,
    Start,
    WordKind,
    next_words,
    word_key,
    words_after,
)
from explorer.analyses.search.hits import Hits
from explorer.backends.protocol.protocol import Backend, Ids, Numbers
from explorer.core.jobs import CancelToken
from explorer.text.segments import JOINER, MARK, class_of, spans

WIDTHS = (5, 3)
"""Branches of the context, and of each of its branches."""
BEFORE_LIMIT = 5_000
"""Occurrences that are read for the words before a context; of more, a sample."""
_STEPS = 3_000
# Words of the line that is quoted at the end of a branch.
_REST = 5
# Tokens before an occurrence that are read: enough for the words that are shown, whatever pieces they consist of.
_WINDOW = 48

Path = tuple[str, ...]
"""The words from the context to a branch, nearest first."""


@dataclass(frozen=True)
class WordNode:
    """A branch.

    text: Its word; "" for the end, or the beginning, of a document.
    count: Occurrences; scaled up if not `exact` and read from a sample, else a lower bound if not `exact`.
    share: Its part of all branches of its parent, from 0 to 1.
    exact: Whether all occurrences were read.
    joined: Its text with that of all branches before it and the white space between them, in reading order.
    branches: Its own, the most frequent first; empty where it is not open.
    rest: How its most frequent line continues, in reading order; "" for an open branch.
    """

    text: str
    kind: WordKind
    count: int
    share: float
    exact: bool
    path: Path
    joined: str
    branches: tuple[WordNode, ...] = ()
    rest: str = ""


@dataclass(frozen=True)
class WordTree:
    """One side of a context.

    branches: The most frequent words, with theirs.
    different: The number of different words beside the context, of those that were read.
    total: Occurrences of the context.
    looked_at: Occurrences that were read.
    """

    branches: tuple[WordNode, ...]
    different: int
    total: int
    looked_at: int

    @property
    def exact(self) -> bool:
        """Whether all occurrences were read."""
        return self.looked_at == self.total


@dataclass(frozen=True)
class TreeShape:
    """Which branches are shown.

    widths: The number of branches at each depth, from the context on; deeper ones as many as the last.
    opened: Paths of branches that are open beyond these depths.
    """

    widths: tuple[int, ...] = WIDTHS
    opened: frozenset[Path] = frozenset()

    def width(self, path: Path) -> int:
        """The branches to show of a branch; 0: it is not open."""
        if len(path) < len(self.widths):
            return self.widths[len(path)]
        return self.widths[-1] if path in self.opened else 0


USUAL = TreeShape()


def tree_after(index: Backend, context: Ids, shape: TreeShape = USUAL, cancel: CancelToken | None = None) -> WordTree:
    """Count the words after a context, and after those.

    Returns: The branches; exact unless the context has very many different continuations.
    Raises `QueryError` if an id is not one of the index.
    """
    # Fewer steps than a list of words takes: a tree asks once more for each branch that it opens.
    found = next_words(index, context, _STEPS, cancel)
    return WordTree(_After(index, shape, cancel).grow(found, ()), len(found.words), found.total, found.counted)


class _After:
    """Grows branches to the right."""

    def __init__(self, index: Backend, shape: TreeShape, cancel: CancelToken | None) -> None:
        self._index, self._shape, self._cancel = index, shape, cancel

    def grow(self, found: NextWords, path: Path, joined: str = "") -> tuple[WordNode, ...]:
        """Make branches of the words that were found."""
        return tuple(
            self._node(word, found, (*path, word.text), joined + word.insert)
            for word in found.words[: self._shape.width(path)]
        )

    def _node(self, word: NextWord, found: NextWords, path: Path, joined: str) -> WordNode:
        # Of all places, also those whose word was not read; so shares never add up to more than 1.
        share = word.count / max(1, found.total)
        node = WordNode(word.text, word.kind, word.count, share, found.exact, path, joined)
        if self._shape.width(path) and word.starts:
            return replace(node, branches=self.grow(self._after(word.starts), path, joined))
        return replace(node, rest=self._rest(word.starts))

    def _after(self, starts: Sequence[Start]) -> NextWords:
        return words_after(self._index, starts, _STEPS, self._cancel)

    def _rest(self, starts: Sequence[Start]) -> str:
        text = ""
        for _ in range(_REST):
            words = self._after(starts).words if starts else ()
            # The quoted line ends with the document, or before a special token.
            if not words or words[0].kind in (WordKind.END, WordKind.TOKEN):
                break
            text += words[0].insert
            starts = words[0].starts
        return text


def tree_before(
    index: Backend, context: Ids, shape: TreeShape = USUAL, seed: int = 0, cancel: CancelToken | None = None
) -> WordTree:
    """Read the words before a context, and before those.

    seed: Decides which occurrences are read, where there are more than 5,000.
    Returns: The branches; counts of a sample are scaled to all occurrences.
    Raises `QueryError` if an id is not one of the index.
    """
    ids = index.counts.check_ids(context, allow_empty=False)
    hits = Hits(index, [index.hits.find(ids)])
    numbers = None
    if hits.total > BEFORE_LIMIT:
        # Ascending, so that the entries of the table are read in the order of the file.
        numbers = np.sort(np.random.default_rng(seed).choice(hits.total, BEFORE_LIMIT, replace=False))
    # What the context begins with: a letter continues the word before it.
    first = index.tokenizer.token_bytes(int(ids[0])).decode("utf-8", "replace")[:1]
    lines = [
        words
        for _, located in hits.chunks(numbers, cancel)
        for words in _words_before(index, located.documents, located.offsets, first)
    ]
    # Hits that are never shown are drawn, too, but have no line; so this may be fewer than were drawn.
    looked_at = len(lines)
    scale = hits.count / max(1, looked_at)
    grown = _Before(shape, scale, looked_at == hits.count).grow(lines, ())
    return WordTree(grown, len({line[0][:2] for line in lines}), hits.count, looked_at)


_Word = tuple[WordKind, str, str, str]
"""What it is, its form, its spelling, and the white space after it."""


def _words_before(index: Backend, documents: Numbers, offsets: Numbers, first: str) -> Iterator[tuple[_Word, ...]]:
    # Offsets count from the beginning of a document, so no window reaches into the document before.
    begins = np.maximum(offsets - _WINDOW, 0)
    for ids, begin in zip(index.documents.windows(documents, begins, offsets), begins.tolist(), strict=True):
        text = b"".join(index.tokenizer.token_bytes(int(token)) for token in ids).decode("utf-8", "replace")
        yield _split_backwards(text, begin == 0, first)


def _split_backwards(text: str, whole: bool, following: str) -> tuple[_Word, ...]:
    """The words of a text, the last one first; whole: the document begins with it; following: the character after."""
    found = list(_pieces(text, following))
    words, after = list[_Word](), len(text)
    for start, end, kind in reversed(found):
        words.append((kind, word_key(kind, text[start:end]), text[start:end], text[end:after]))
        after = start
    # Only what the document begins with has its beginning before it; other lines end where reading ended.
    if whole and len(words) < _WINDOW:
        return (*words, (WordKind.END, "", "", ""))
    # A word at the edge of what was read may have begun before it.
    edge = len(words) > 1 and not found[0][0] and not whole
    return tuple(words[: len(words) - edge][:_WINDOW])


def _pieces(text: str, following: str) -> Iterator[tuple[int, int, WordKind]]:
    """The words and other characters of a text; of the last word, a part may follow the text."""
    at = 0
    for start, end in (*spans(text + following), (len(text), len(text))):
        for place in range(at, min(start, len(text))):
            # A mark belongs to the character before it.
            if not text[place].isspace() and (place == at or class_of(text[place]) not in (MARK, JOINER)):
                last = place + 1
                while last < min(start, len(text)) and class_of(text[last]) in (MARK, JOINER):
                    last += 1
                yield place, last, WordKind.OTHER
        at = min(end, len(text))
        if start < at:
            yield start, at, WordKind.WORD if end == at else WordKind.REST


def _most_frequent(texts: Iterable[str]) -> str:
    counts = Counter(texts)
    return min(counts, key=lambda text: (-counts[text], text))


class _Before:
    """Grows branches to the left, from lines that were read."""

    def __init__(self, shape: TreeShape, scale: float, exact: bool) -> None:
        self._shape, self._scale, self._exact = shape, scale, exact

    def grow(self, lines: Collection[tuple[_Word, ...]], path: Path, joined: str = "") -> tuple[WordNode, ...]:
        """Make branches of the words at one depth of the lines."""
        at = len(path)
        # Lines that were read only this far are unknown here, and count for no branch.
        going_on = [line for line in lines if len(line) > at]
        counts = Counter(line[at][:2] for line in going_on)
        # Ties by text, so that one tree has one order of branches.
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0][1], item[0][0].value))
        return tuple(
            self._node(
                kind, count / len(going_on), [line for line in going_on if line[at][:2] == (kind, form)], path, joined
            )
            for (kind, form), count in ordered[: self._shape.width(path)]
        )

    def _node(
        self, kind: WordKind, share: float, lines: list[tuple[_Word, ...]], before: Path, joined: str
    ) -> WordNode:
        at = len(before)
        # Lines may differ in spelling and white space; the branch is written as most of them are.
        text = _most_frequent(line[at][2] for line in lines)
        space = _most_frequent(line[at][3] for line in lines)
        path, whole = (*before, text), text + space + joined
        node = WordNode(text, kind, round(len(lines) * self._scale), share, self._exact, path, whole)
        if self._shape.width(path) and kind is not WordKind.END:
            return replace(node, branches=self.grow(lines, path, whole))
        return replace(node, rest=self._rest(lines, len(path)))

    def _rest(self, lines: Collection[tuple[_Word, ...]], at: int) -> str:
        text = ""
        for depth in range(at, at + _REST):
            counts = Counter(line[depth] for line in lines if len(line) > depth)
            if not counts:
                break
            best = min(counts, key=lambda word: (-counts[word], word[2]))
            if best[0] is WordKind.END:
                break
            text = best[2] + best[3] + text
            lines = [line for line in lines if len(line) > depth and line[depth] == best]
        return text
