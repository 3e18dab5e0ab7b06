"""What the Next token screen does: asks what follows the prompt, and everything that is shown beside that. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from explorer.api import Corpus, open_index
from explorer.chart import Chart
from explorer.errors import CorpusError
from explorer.gui.answer import Answer
from explorer.gui.presenter import Presenter, Services
from explorer.gui.screens.next_token.state import NextTokenState, View
from explorer.gui.screens.next_token.tree_presenter import TreePresenter
from explorer.gui.screens.next_token.work import (
    LadderAnswer,
    NextAnswer,
    NextRequest,
    ask,
    climb,
    lines_text,
    make_charts,
)
from explorer.i18n import tr
from explorer.jobs import Kind

_DEBOUNCE_MS = 150


class NextTokenPresenter(Presenter[NextTokenState]):
    """The screen without its widgets; `tree`: the word tree.

    Parameters
    ----------
    services
        Slots and delays.
    search
        Called with a text whose lines are wanted.
    """

    def __init__(self, services: Services, search: Callable[[str], None]) -> None:
        super().__init__(NextTokenState())
        self._search = search
        self._asker = services.slot("next")
        self._beside_asker = services.slot("next beside")
        self._climber = services.slot("ladder")
        self._opener = services.slot("open beside", kind=Kind.APART)
        self._typing = services.delay(_DEBOUNCE_MS, self.run)
        self.tree = TreePresenter(services.slot("tree"))

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Ask another index."""
        self._forget()
        self.change(corpus=corpus)
        self.run()

    def typed(self, prompt: str) -> None:
        """Take another prompt. It is asked when nothing was typed for a moment."""
        if prompt != self.state.prompt:
            self.change(prompt=prompt)
            self._typing.start()

    def choose_n(self, n: int) -> None:
        """Use another n-gram model; 0 for ∞."""
        if n != self.state.n:
            self.change(n=n)
            self.run()

    def run(self) -> None:
        """Ask what follows the prompt."""
        self._typing.stop()
        state = self.state
        if state.corpus is None or not state.asks:
            self._forget()
            return
        request = NextRequest(state.corpus, state.prompt, state.n)
        self.change(answer=state.answer.asked())
        self._asker.run(lambda cancel: ask(request, cancel), self._take, self._fail)
        if state.beside is not None:
            other = replace(request, corpus=state.beside)
            self.change(beside_answer=self.state.beside_answer.asked())
            self._beside_asker.run(lambda cancel: ask(other, cancel), self._take_beside, self._fail_beside)

    def _take(self, answer: NextAnswer) -> None:
        # A ladder of an earlier prompt that is still on its way would be taken for one of this prompt.
        self._climber.cancel()
        # If the ladder is what is shown, the old one stays, dimmed, until the new one arrives.
        ladder = self.state.ladder if self.state.view is View.LADDER else Answer[LadderAnswer]()
        self.change(answer=self.state.answer.arrived(answer), ladder=ladder, error=None, refused="")
        self._ask_for_view(fresh=True)

    def _fail(self, error: CorpusError) -> None:
        self.change(answer=self.state.answer.failed(error))

    def _forget(self) -> None:
        for slot in (self._asker, self._beside_asker, self._climber):
            slot.cancel()
        self.tree.show_root(None, ())
        nothing: Answer[NextAnswer] = Answer()
        self.change(answer=nothing, ladder=Answer(), beside_answer=nothing, error=None, refused="")

    def show_view(self, view: View) -> None:
        """Show the next tokens, the ladder or the word tree."""
        self.change(view=view)
        self._ask_for_view(fresh=False)

    def _ask_for_view(self, fresh: bool) -> None:
        """Ask for what the tab needs beyond the answer; fresh: the answer has just arrived."""
        state, answer = self.state, self.state.answer.current
        if answer is None or not answer.seen:
            return
        if state.view is View.TREE:
            self.tree.show_root(state.corpus, answer.used)
        elif state.view is View.LADDER and (fresh or state.ladder.current is None):
            request = answer.request
            self.change(ladder=state.ladder.asked())
            self._climber.run(lambda cancel: climb(request, cancel), self._take_ladder, self._fail_ladder)

    def _take_ladder(self, answer: LadderAnswer) -> None:
        self.change(ladder=self.state.ladder.arrived(answer))

    def _fail_ladder(self, error: CorpusError) -> None:
        self.change(ladder=self.state.ladder.failed(error))

    def fail(self, error: CorpusError) -> None:
        """Show why something failed that leaves the answer as it is."""
        self.change(error=error)

    def insertable(self, row: int) -> str:
        """The text that a row's token adds to the prompt; "", and a sentence is shown, if it cannot be appended."""
        answer = self.state.answer.value
        if answer is None or not 0 <= row < len(answer.rows):
            return ""
        text = answer.rows[row].insert
        refused = tr("This token is a partial character or an end-of-document marker and cannot be appended.")
        self.change(refused="" if text else refused)
        return text

    def show_lines(self, row: int) -> None:
        """Search for the context followed by the token of a row."""
        answer = self.state.answer.value
        if answer is not None and 0 <= row < len(answer.rows):
            self.search_ids((*answer.used, answer.rows[row].token))

    def search_ids(self, ids: tuple[int, ...]) -> None:
        """Search for an n-gram."""
        corpus = self.state.corpus
        if corpus is not None and ids:
            # A separator has no text.
            chosen = tuple(token for token in ids if token != corpus.index.separator)
            self._opener.run(lambda cancel: lines_text(corpus, chosen), self._search, self.fail)

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes charts of all that is shown; None if nothing is."""
        state, answer = self.state, self.state.answer.value
        if answer is None or not answer.seen:
            return None
        rungs = state.ladder.value.rungs if state.view is View.LADDER and state.ladder.value is not None else ()
        tree = self.tree.state.shown() if state.view is View.TREE else None
        return partial(make_charts, answer, state.beside_answer.value, rungs, tree)

    def open_beside(self, path: str) -> None:
        """Open another index to compare with."""
        self._opener.run(lambda cancel: open_index(path), self.put_beside, self._fail_opening)

    def put_beside(self, corpus: Corpus | None) -> None:
        """Ask this index, too; None: no second index."""
        self._beside_asker.cancel()
        self.change(beside=corpus, beside_answer=Answer(), beside_error=None)
        self.run()

    def _take_beside(self, answer: NextAnswer) -> None:
        self.change(beside_answer=self.state.beside_answer.arrived(answer))

    def _fail_beside(self, error: CorpusError) -> None:
        self.change(beside_answer=self.state.beside_answer.failed(error))

    def _fail_opening(self, error: CorpusError) -> None:
        self.change(beside_error=error)

    def session(self) -> dict[str, Any]:
        """What was typed and chosen, as JSON values."""
        return {"prompt": self.state.prompt, "n": self.state.n, "view": int(self.state.view)}

    def restore(self, values: dict[str, Any]) -> None:
        """Restore a session; missing or invalid values are left unchanged."""
        if isinstance(n := values.get("n"), int) and 0 <= n <= 1000:
            self.change(n=n)
        if values.get("view") in list(View):
            self.change(view=View(values["view"]))
        if isinstance(prompt := values.get("prompt"), str):
            self.change(prompt=prompt)
        self.run()
