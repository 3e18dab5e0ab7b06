"""What the Perplexity tab does: scores texts by a method, and looks up single tokens. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from explorer.chart import Chart
from explorer.core.jobs import Kind
from explorer.corpus import Corpus
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.presenter import Services, Slot
from explorer.gui.screens.model.methods import IN_FRONT, OTHERS, restored_method, session_of_method, usual
from explorer.gui.screens.model.perplexity.charts import perplexity_charts
from explorer.gui.screens.model.perplexity.examples import ExamplePassage
from explorer.gui.screens.model.perplexity.state import PerplexityState
from explorer.gui.screens.model.perplexity.token_work import TokenFacts, token_facts
from explorer.gui.screens.model.perplexity.work import (
    SHOWN,
    Memory,
    PerplexityAnswer,
    Question,
    ScoredText,
    run_perplexity,
    surprise_of,
)
from explorer.gui.screens.model.presenter import BySourcePresenter
from explorer.gui.screens.model.state import key_of
from explorer.gui.sources.session import restored_inputs, session_of_inputs
from explorer.i18n import tr


class PerplexityPresenter(BySourcePresenter[PerplexityState]):
    """The tab without its widgets."""

    def __init__(self, services: Services) -> None:
        # A click on a token does not wait for the scoring, which may take minutes.
        super().__init__(PerplexityState(), services, "perplexity")
        self._lookup = TokenLookup(services.slot("perplexity token", kind=Kind.QUICK), self.change)
        self.example = ExamplePassage(services.slot("perplexity example", timed=False, kind=Kind.QUICK), self)
        self._memory = Memory()

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Score the same texts in another index."""
        # Another object, not an emptied one: work that ends on its thread may still put scores into the old one.
        self._memory = Memory()
        # It would be a passage of the corpus before.
        self.example.forget()
        super().use_corpus(corpus)

    # --- inputs --------------------------------------------------------------------------------------

    def choose_method(self, name: str) -> None:
        """Score by another method, with its usual settings."""
        if name != self.state.method.name:
            self.change(method=usual(name))
            self.run()

    def set(self, **values: Any) -> None:
        """Change settings of the method."""
        self.set_in("method", values)

    def leave_one_out(self, on: bool) -> None:
        """Choose whether the texts are in the corpus."""
        if on != self.state.leave_one_out:
            self.change(leave_one_out=on)
            self.run()

    # --- the answer ----------------------------------------------------------------------------------

    def run(self) -> None:
        """Score the texts; learned trust follows when it has learned."""
        self.typing.stop()
        corpus = self.state.corpus
        if corpus is None or self.state.inputs.empty:
            self.forget()
            return
        # Both are given to the work: the state and the memory of the presenter may be others when it runs.
        question, memory = self.state.question(corpus), self._memory
        # Before the request: each belongs to the one that is made next.
        interim = self.asking.interim(self._arrived)
        unread = self.asking.interim(lambda problems: self.change(unread=problems))
        self.put(
            tr("Perplexity of texts"),
            lambda report, cancel: run_perplexity(question, memory, report, cancel, interim, unread),
            unread=(),
        )

    def _arrived(self, answer: PerplexityAnswer) -> None:
        before = self.state.text
        super()._arrived(answer)
        after = self.state.text
        same = before is not None and after is not None and before.text == after.text
        if same and self.state.token >= 0:
            # The levels may be others now: of another method, or without the text's own occurrence.
            self.choose_token(self.state.token)
        elif after is not None and len(after.scores):
            # The most surprising one: what is beside the text is not empty, and shows what a click does.
            self.choose_token(int(surprise_of(after.scores)[:SHOWN].argmax()))
        else:
            self._lookup.forget()

    def forget(self) -> None:
        """Drop the answer, and what is under way."""
        # First of all: an answer that arrives later would bring back what is forgotten here.
        self.asking.cancel()
        self._lookup.forget()
        self.change(answer=Answer(), error=None, unread=(), place=0)

    # --- what is shown -------------------------------------------------------------------------------

    def choose_source(self, key: str) -> None:
        """Show one source, or all together; a key of the state's `choices`."""
        before = self.state.source
        super().choose_source(key)
        if self.state.source != before:
            self._lookup.forget()

    def show_by(self, by_source: bool) -> None:
        """Have a row per source in the table, or per method."""
        self.change(by_source=by_source)

    def pick(self, row: int) -> None:
        """Show what a row of the table, or a dot of the plot, is about."""
        found = self.state.answer.value
        if found is None:
            return
        if self.state.by_source and self.state.several:
            self.choose_source(key_of(self.state.answer, row))
        elif 0 <= row < len(found.rows):
            self.pick_method(row)

    def pick_method(self, row: int) -> None:
        """Choose the method of a row of the answer."""
        found = self.state.answer.value
        if found is not None and 0 <= row < len(found.rows) and found.rows[row].method != self.state.method:
            # With the settings that the row was computed with.
            self.change(method=found.rows[row].method)
            self.run()

    def go(self, place: int) -> None:
        """Show another text of what is chosen."""
        before = self.state.number
        super().go(place)
        if self.state.number != before:
            self._lookup.forget()

    def choose_token(self, token: int) -> None:
        """Look up the levels of a token of the text that is shown, by its number among those that are scored."""
        found, text = self.state.answer.value, self.state.text
        if found is None or text is None or not 0 <= token < len(text.scores):
            return
        self.change(token=token)
        self._lookup.ask(found.question, text, token, self.state.facts)

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes charts of the answer; None if there is none."""
        found = self.state.answer.value
        return None if found is None else partial(perplexity_charts, found)


class TokenLookup:
    """Looks up one token at a time.

    change: Changes `token` and `facts` of the state.
    """

    def __init__(self, slot: Slot, change: Callable[..., None]) -> None:
        self._slot, self._change = slot, change

    def ask(self, question: Question, text: ScoredText, token: int, before: Answer[TokenFacts]) -> None:
        """Look up a token.

        token: The token's number among those that are scored.
        before: The last answer, which stays until this one arrives.
        """
        self._change(facts=before.asked())
        self._slot.run(
            lambda cancel: token_facts(question, text, token, cancel),
            lambda facts: self._change(facts=before.arrived(facts)),
            lambda error: self._change(facts=before.failed(error)),
        )

    def forget(self) -> None:
        """Drop the token."""
        # First: what arrives later would bring it back.
        self._slot.cancel()
        self._change(token=-1, facts=Answer())


def session_of(state: PerplexityState) -> dict[str, Any]:
    """The inputs, as JSON values."""
    return session_of_inputs(state.inputs) | {
        **session_of_method(state.method),
        "leave_one_out": state.leave_one_out,
        "source": state.source,
    }


def restore(presenter: PerplexityPresenter, values: dict[str, Any]) -> None:
    """Restore a session and score its texts.

    values: What `session_of` gave; missing or invalid values are left unchanged.
    """
    state = presenter.state
    presenter.change(
        inputs=restored_inputs(state.inputs, values), method=restored_method(state.method, values, (*IN_FRONT, *OTHERS))
    )
    if isinstance(on := values.get("leave_one_out"), bool):
        presenter.change(leave_one_out=on)
    # The source may be unknown until the texts are read; until then, the state shows the first one.
    if isinstance(source := values.get("source"), str):
        presenter.change(source=source)
    presenter.run()
