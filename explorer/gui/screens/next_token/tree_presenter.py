"""What the word tree does: it grows from a context, opens branches, and leads to their lines. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from explorer.analyses.next_tokens.word_tree import WIDTHS
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.presenter import Presenter, Slot
from explorer.gui.screens.next_token.tree_state import (
    MORE,
    MOST,
    Side,
    Spot,
    TreeAnswer,
    TreeRequest,
    TreeState,
    grow,
)


class TreePresenter(Presenter[TreeState]):
    """The word tree of one context.

    go_on: Called with the text of a branch after the root, to append it to the prompt.
    search: Called with a text whose lines are wanted.
    """

    def __init__(self, slot: Slot, go_on: Callable[[str], None], search: Callable[[str], None]) -> None:
        super().__init__(TreeState())
        self._slot, self._go_on, self._search = slot, go_on, search

    def show_root(self, corpus: Corpus | None, ids: Sequence[int]) -> None:
        """Grow the tree from another context.

        corpus: The index; None clears the tree.
        ids: The context; an empty one clears the tree.
        """
        root = tuple(ids)
        # An answer about the same root, such as after a change of the switch for words, leaves what was opened.
        if corpus is self.state.corpus and root == self.state.root:
            return
        # A tree of the root before could still arrive, and be drawn as this one's.
        self._slot.cancel()
        cleared = {} if corpus is not None and root else {"answer": Answer[TreeAnswer]()}
        self.change(corpus=corpus, root=root, width=WIDTHS[0], opened=frozenset(), chosen=None, **cleared)
        self._ask()

    def turn(self, side: Side) -> None:
        """Show another side of the root."""
        if side is not self.state.side:
            self.change(side=side, chosen=None)
            self._ask()

    def toggle(self, spot: Spot) -> None:
        """Open a branch, or close it again."""
        opened = self.state.opened
        self.change(opened=opened - {spot} if spot in opened else opened | {spot}, chosen=spot)
        self._ask()

    def show_more(self) -> None:
        """Show more branches of the root."""
        self.change(width=min(MOST, self.state.width + MORE))
        self._ask()

    def choose(self, spot: Spot | None) -> None:
        """Put the focus on a branch."""
        self.change(chosen=spot)

    def go_on(self, spot: Spot) -> None:
        """Append a branch after the root to the prompt; show the lines of one before it."""
        node = self._node(spot)
        if node is not None and not spot.before and node.joined:
            self._go_on(node.joined)
        else:
            self.show_lines(spot)

    def show_lines(self, spot: Spot) -> None:
        """Search for the root with a branch."""
        found, node = self.state.answer.value, self._node(spot)
        if found is not None and node is not None:
            self._search((node.joined + found.text if spot.before else found.text + node.joined).strip())

    def _node(self, spot: Spot) -> Any:
        found = self.state.answer.value
        return None if found is None else found.node(spot)

    def _ask(self) -> None:
        state = self.state
        if state.corpus is None or not state.root:
            return
        # The whole tree is read again: with the engine's look-ups that is faster than it is seen.
        request = TreeRequest(state.corpus, state.root, state.side, state.width, state.opened)
        self.change(answer=state.answer.asked())
        self._slot.run(lambda cancel: grow(request, cancel), self._take, self._fail)

    def _take(self, answer: TreeAnswer) -> None:
        # A branch that is no longer shown cannot keep the focus.
        chosen = self.state.chosen
        kept = chosen if chosen is not None and answer.node(chosen) is not None else None
        self.change(answer=self.state.answer.arrived(answer), chosen=kept)

    def _fail(self, error: CorpusError) -> None:
        self.change(answer=self.state.answer.failed(error))
