"""The word tree as values: its branches, which of them are open, and how they are looked up. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from explorer.api import Corpus
from explorer.errors import CorpusError
from explorer.i18n import numeral, tr, trn
from explorer.jobs import CancelToken
from explorer.search.profile import Branches, left_of, right_of
from explorer.search.query import show_token

MOST = 25
"""Branches of one n-gram that are shown."""

NGram = tuple[int, ...]


@dataclass(frozen=True)
class BranchRow:
    """A branch as it is shown: its n-gram, text, count and share; not `exact`: estimated from a sample."""

    ids: tuple[int, ...]
    text: str
    count: int
    share: float
    exact: bool

    @property
    def shown_count(self) -> str:
        """The count, with ≈ if it is estimated."""
        return numeral(self.count) if self.exact else f"≈ {numeral(self.count)}"


@dataclass(frozen=True)
class ShownTree:
    """The open part of the tree: its root n-gram, its direction, and its branches with theirs."""

    root: tuple[int, ...]
    leftwards: bool
    branches: tuple[ShownBranch, ...]


@dataclass(frozen=True)
class ShownBranch:
    """A branch, and its children if it is open."""

    row: BranchRow
    branches: tuple[ShownBranch, ...]


@dataclass(frozen=True)
class TreeAnswer:
    """The branches of one n-gram."""

    ids: tuple[int, ...]
    rows: tuple[BranchRow, ...]
    found: Branches


def grow(corpus: Corpus, ids: tuple[int, ...], leftwards: bool, cancel: CancelToken) -> TreeAnswer:
    """Look up the branches of an n-gram. Runs off the interface thread.

    Parameters
    ----------
    corpus
        The index.
    ids
        The n-gram.
    leftwards
        Whether to look up the tokens before it; otherwise those after it.
    cancel
        Stops the look-up.

    Returns
    -------
    TreeAnswer
        The likeliest branches with their counts, which are scaled up if only a sample was counted.
    """
    index = corpus.index
    found = left_of(index, ids, MOST, cancel=cancel) if leftwards else right_of(index, ids, MOST, cancel)
    rows = tuple(
        BranchRow(
            (branch.token, *ids) if leftwards else (*ids, branch.token),
            show_token(index, branch.token),
            # A sample's counts are scaled to all occurrences, and shown with ≈.
            branch.count if found.exact else round(branch.count * found.total / max(1, found.looked_at)),
            branch.count / max(1, found.looked_at),
            found.exact,
        )
        for branch in found.branches
    )
    return TreeAnswer(ids, rows, found)


@dataclass(frozen=True, eq=False)
class TreeState:
    """A word tree.

    Attributes
    ----------
    corpus
        The index; None while there is no tree.
    root
        The n-gram that it grows from.
    leftwards
        Whether it shows what comes before the root; otherwise what comes after it.
    grown
        The branches that were looked up, by the n-gram that they belong to. An n-gram that includes its branch names
        one place in the tree, so no other key is needed.
    opened
        N-grams whose branches are shown.
    waiting
        N-grams whose branches are asked for, in the order in which they were opened.
    error
        Why the last look-up failed.
    """

    corpus: Corpus | None = None
    root: NGram = ()
    leftwards: bool = False
    grown: Mapping[NGram, TreeAnswer] = field(default_factory=dict)
    opened: frozenset[NGram] = frozenset()
    waiting: tuple[NGram, ...] = ()
    error: CorpusError | None = None

    @property
    def about(self) -> str:
        """How many branches the root has, and whether their counts are estimates; "" until they are known."""
        if self.root not in self.grown:
            return ""
        found = self.grown[self.root].found
        about = (
            ""
            if found.exact
            else tr("≈ from {looked_at:,} of {total:,} occurrences, ", looked_at=found.looked_at, total=found.total)
        )
        return trn(
            "{about}{n:,} different token; press Enter on a branch to show its lines",
            "{about}{n:,} different tokens; press Enter on a branch to show its lines",
            found.distinct,
            about=about,
        )

    def shown(self) -> ShownTree:
        """The open part of the tree, for a figure."""
        return ShownTree(self.root, self.leftwards, self._below(self.root))

    def _below(self, ids: NGram) -> tuple[ShownBranch, ...]:
        # An open branch that is not grown yet has no children to show.
        rows = self.grown[ids].rows if ids in self.grown else ()
        return tuple(ShownBranch(row, self._below(row.ids) if row.ids in self.opened else ()) for row in rows)
