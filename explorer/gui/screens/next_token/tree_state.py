"""The word tree as the screen shows it: its root, its side, and which branches are open. No Qt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from explorer.analyses.next_tokens.next_words import WordKind
from explorer.analyses.next_tokens.word_tree import WIDTHS, Path, TreeShape, WordNode, WordTree, tree_after, tree_before
from explorer.core.jobs import CancelToken
from explorer.corpus import Corpus
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.hints import told
from explorer.i18n import counted, numeral, tr

MORE = 5
"""Branches that are added each time more are asked for."""
MOST = 60


class Side(Enum):
    """Which sides of the context are shown; the values are part of saved sessions."""

    AFTER = "after"
    BEFORE = "before"
    BOTH = "both"


@dataclass(frozen=True)
class Spot:
    """A branch of the tree: on which side of the root it is, and the words to it."""

    before: bool
    path: Path


@dataclass(frozen=True)
class TreeRequest:
    """A root, and which of its branches are wanted."""

    corpus: Corpus
    root: tuple[int, ...]
    side: Side
    width: int
    opened: frozenset[Spot]

    @property
    def widths(self) -> tuple[int, ...]:
        """The number of branches at each depth."""
        # Only the first column grows with "More branches"; deeper ones would hide each other.
        return (self.width, *WIDTHS[1:])


@dataclass(frozen=True)
class TreeAnswer:
    """The sides that were asked for; None for the other one. text: of the root."""

    request: TreeRequest
    text: str
    after: WordTree | None
    before: WordTree | None

    def nodes(self) -> Iterator[tuple[Spot, WordNode]]:
        """All branches, each before its own."""
        for before, tree in ((True, self.before), (False, self.after)):
            waiting = list(reversed(tree.branches)) if tree is not None else []
            while waiting:
                node = waiting.pop()
                yield Spot(before, node.path), node
                waiting += reversed(node.branches)

    def node(self, spot: Spot) -> WordNode | None:
        """A branch; None if it is not shown."""
        return next((node for other, node in self.nodes() if other == spot), None)


def grow(request: TreeRequest, cancel: CancelToken) -> TreeAnswer:
    """Read a word tree. Runs off the interface thread.

    Returns: The sides that were asked for.
    Raises `CorpusError` if the index cannot be read.
    """
    index, root = request.corpus.index, request.root

    def shape(before: bool) -> TreeShape:
        return TreeShape(request.widths, frozenset(spot.path for spot in request.opened if spot.before == before))

    after = tree_after(index, root, shape(False), cancel) if request.side is not Side.BEFORE else None
    before = tree_before(index, root, shape(True), cancel=cancel) if request.side is not Side.AFTER else None
    return TreeAnswer(request, request.corpus.decode(root), after, before)


@dataclass(frozen=True, eq=False)
class TreeState:
    """A word tree.

    corpus: The index; None while there is no tree.
    root: The context that it grows from.
    width: The number of branches of the root.
    opened: Branches that are open beyond the usual depth.
    chosen: The branch that has the focus.
    why_not: Why the open index has no trees; "" if it has.
    """

    corpus: Corpus | None = None
    root: tuple[int, ...] = ()
    side: Side = Side.AFTER
    width: int = WIDTHS[0]
    opened: frozenset[Spot] = frozenset()
    chosen: Spot | None = None
    answer: Answer[TreeAnswer] = field(default_factory=Answer)
    why_not: str = ""

    @property
    def about(self) -> str:
        """How much was read, or why there is no tree; "" for no tree."""
        if self.why_not:
            return self.why_not
        if self.answer.error is not None:
            return told(self.answer.error)
        found = self.answer.value
        if found is None:
            return ""
        return " · ".join(_about(tree, before) for tree, before in ((found.before, True), (found.after, False)) if tree)

    @property
    def has_more(self) -> bool:
        """Whether the root has branches that are not shown."""
        found = self.answer.value
        sides = () if found is None else (side for side in (found.before, found.after) if side is not None)
        return self.width < MOST and any(side.different > len(side.branches) for side in sides)


def _about(tree: WordTree, before: bool) -> str:
    side = tr("before") if before else tr("after")
    if tree.exact:
        return tr("{words} {side}", words=counted("different word", tree.different), side=side)
    return tr(
        "{side}: ≈ from {looked_at:,} of {total:,} occurrences", side=side, looked_at=tree.looked_at, total=tree.total
    )


def shown_text(node: WordNode) -> str:
    """The word of a branch as it is shown."""
    if node.kind is WordKind.END:
        return tr("end of document")
    return node.text


def shown_count(node: WordNode) -> str:
    """The count of a branch, with ≈ if it is not exact."""
    return numeral(node.count) if node.exact else f"≈ {numeral(node.count)}"
