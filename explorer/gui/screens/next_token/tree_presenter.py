"""Grows a word tree: one look-up at a time, in the order in which its branches were opened."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.api import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenter import Presenter, Slot
from explorer.gui.screens.next_token.branches import NGram, TreeAnswer, TreeState, grow


class TreePresenter(Presenter[TreeState]):
    """The word tree of one context.

    Parameters
    ----------
    slot
        Looks up branches. A slot keeps only its newest request, so the presenter asks for one branch at a time.
    """

    def __init__(self, slot: Slot) -> None:
        super().__init__(TreeState())
        self._slot = slot

    def show_root(self, corpus: Corpus | None, ids: Sequence[int]) -> None:
        """Grow the tree from an n-gram; answers about branches that are gone are dropped.

        Parameters
        ----------
        corpus
            The index; None clears the tree.
        ids
            The n-gram; an empty one clears the tree.
        """
        root = tuple(ids)
        # Coming back to the tab must not close the branches that the user opened.
        if corpus is self.state.corpus and root == self.state.root and root in self.state.grown:
            return
        self._regrow(corpus, root, self.state.leftwards)

    def turn(self, leftwards: bool) -> None:
        """Grow towards the words before the root (True) or after it."""
        if leftwards != self.state.leftwards:
            self._regrow(self.state.corpus, self.state.root, leftwards)

    def open(self, ids: NGram) -> None:
        """Show the branches of a branch; they are looked up the first time."""
        state = self.state
        # A branch can be opened, closed and opened again before its turn comes; it waits once.
        waiting = state.waiting if ids in state.grown or ids in state.waiting else (*state.waiting, ids)
        self.change(opened=state.opened | {ids}, waiting=waiting)
        if waiting and not self._slot.busy:
            self._ask()

    def close(self, ids: NGram) -> None:
        """Hide the branches of a branch; what is known of them is kept."""
        self.change(opened=self.state.opened - {ids})

    def _regrow(self, corpus: Corpus | None, root: NGram, leftwards: bool) -> None:
        self._slot.cancel()
        # The root waits like any branch, so that opening one meanwhile does not replace its request.
        asked = (root,) if corpus is not None and root else ()
        self.change(
            corpus=corpus, root=root, leftwards=leftwards, grown={}, opened=frozenset(), waiting=asked, error=None
        )
        if asked:
            self._ask()

    def _ask(self) -> None:
        corpus, ids, leftwards = self.state.corpus, self.state.waiting[0], self.state.leftwards
        if corpus is not None:
            self._slot.run(lambda cancel: grow(corpus, ids, leftwards, cancel), self._take, self._fail)

    def _take(self, answer: TreeAnswer) -> None:
        state = self.state
        self.change(grown={**state.grown, answer.ids: answer}, waiting=state.waiting[1:], error=None)
        if self.state.waiting:
            self._ask()

    def _fail(self, error: CorpusError) -> None:
        """Branches that wait are closed: opening one again asks for it again."""
        self.change(opened=self.state.opened - {*self.state.waiting}, waiting=(), error=error)
