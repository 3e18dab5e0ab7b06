"""What the Next token screen does: asks what follows the prompt, and everything that is shown beside that. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from explorer.analyses.next_tokens.question import NextTokensQuestion
from explorer.chart import Chart
from explorer.core.jobs import Kind
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.choices import Choices
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.screens.next_token.beside import BesidePresenter
from explorer.gui.screens.next_token.state import NextTokenState
from explorer.gui.screens.next_token.tree_presenter import TreePresenter
from explorer.gui.screens.next_token.tree_state import Side
from explorer.gui.screens.next_token.work import (
    NextAnswer,
    NextRequest,
    ask,
    climb,
    lines_text,
    make_charts,
    make_tree_charts,
)
from explorer.i18n import tr

_DEBOUNCE_MS = 150
_KEPT = ("n", "words")
"""The settings that the user chooses: whether a sample is read depends on the index."""
_Asked = tuple[str, NextTokensQuestion, Side]
"""The prompt, its settings, and the side of the tree: what can be undone."""


def _nowhere(text: str) -> None:
    """Without a prompt to edit, nothing is appended."""


class NextTokenPresenter(Presenter[NextTokenState]):
    """The screen without its widgets; `tree`: the word tree, `beside`: another index to compare with.

    search: Called with a text whose lines are wanted.
    append: Called with a text to append to the prompt, as an edit that can be undone.
    search_tokens: Called with a text whose lines are wanted as it is cut into tokens; None: `search` is.
    """

    def __init__(
        self,
        services: Services,
        search: Callable[[str], None],
        append: Callable[[str], None] = _nowhere,
        search_tokens: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(NextTokenState())
        self._search_tokens = search_tokens or search
        self._search, self._append = search, append
        # Of which prompt the ladder is: it does not depend on n.
        self._climbed: tuple[Corpus, str] | None = None
        self._asker = services.slot("next")
        self._climber = services.slot("ladder")
        self._reader = services.slot("lines", kind=Kind.APART)
        self.beside = BesidePresenter(services)
        self._typing = services.delay(_DEBOUNCE_MS, self.run)
        self.tree = TreePresenter(services.slot("tree"), self.append_text, search)
        self.choices = Choices(services, self._asked, self._choose)

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Ask another index."""
        self._forget()
        self.change(corpus=corpus)
        self.tree.change(why_not=self.state.why_no_words)
        self.run()

    def typed(self, prompt: str) -> None:
        """Take another prompt. It is asked when nothing was typed for a moment."""
        if prompt != self.state.prompt:
            with self.choices.step("prompt"):
                self.change(prompt=prompt)
            self._typing.start()

    def _asked(self) -> _Asked:
        return self.state.prompt, self.state.question, self.tree.state.side

    def _choose(self, asked: _Asked) -> None:
        prompt, question, side = asked
        # The tree alone has another side: what follows is not asked again.
        if asked[:2] != self._asked()[:2]:
            self.change(prompt=prompt, question=question)
            self.run()
        self.tree.turn(side)

    def set(self, **settings: Any) -> None:
        """Ask with other settings."""
        question = replace(self.state.question, **settings)
        if question != self.state.question:
            # A number that a wheel turns is one step.
            with self.choices.step("".join(settings.keys() - {"words"})):
                self.change(question=question)
            self.run()

    def choose_rung(self, row: int) -> None:
        """Use the context of a row of the ladder."""
        ladder = self.state.ladder.current
        if ladder is not None and 0 <= row < len(ladder.rows) and row != self.state.chosen_rung:
            self.set(n=ladder.rows[row].rung.n)

    def turn(self, side: Side) -> None:
        """Show another side of the tree."""
        with self.choices.step():
            self.tree.turn(side)

    def choose_row(self, row: int) -> None:
        """Choose a row of the list; -1: none."""
        self.change(row=row)

    def run(self) -> None:
        """Ask what follows the prompt."""
        self._typing.stop()
        state = self.state
        if state.corpus is None or not state.asks:
            self._forget()
            return
        request = NextRequest(state.corpus, state.prompt, replace(state.question, words=state.lists_words))
        self.change(answer=state.answer.asked())
        self._asker.run(lambda cancel: ask(request, cancel), self._take, self._fail)
        # The endings are of the prompt: choosing n or words does not change them.
        if state.ladder.current is None or self._climbed != (state.corpus, state.prompt):
            self._climbed = (state.corpus, state.prompt)
            self.change(ladder=self.state.ladder.asked())
            self._climber.run(
                lambda cancel: climb(request, cancel),
                lambda found: self.change(ladder=self.state.ladder.arrived(found)),
                lambda error: self.change(ladder=self.state.ladder.failed(error)),
            )
        self.beside.ask(request)

    def _take(self, answer: NextAnswer) -> None:
        # The rows are others now: the number of a row would choose another word.
        self.change(answer=self.state.answer.arrived(answer), row=-1, error=None, refused="")
        grows = answer.seen and not self.state.why_no_words
        self.tree.show_root(self.state.corpus if grows else None, answer.used)

    def _fail(self, error: CorpusError) -> None:
        self.change(answer=self.state.answer.failed(error))

    def _forget(self) -> None:
        for slot in (self._asker, self._climber):
            slot.cancel()
        self._climbed = None
        self.tree.show_root(None, ())
        self.beside.ask(None)
        self.change(answer=Answer(), ladder=Answer(), row=-1, error=None, refused="")

    def fail(self, error: CorpusError) -> None:
        """Show why something failed that leaves the answer as it is."""
        self.change(error=error)

    def append_row(self, row: int) -> None:
        """Append what a row holds to the prompt; a sentence is shown if it cannot be appended."""
        answer = self.state.answer.value
        if answer is None or not 0 <= row < len(answer.rows):
            return
        text = answer.rows[row].insert
        refused = tr("This is a part of a character, or the end of a document, and cannot be appended.")
        self.change(refused="" if text else refused)
        if text:
            self.append_text(text)

    def append_text(self, text: str) -> None:
        """Append a text to the prompt, and ask at once: only typing is waited for."""
        # Not one step with what was typed before, nor with the word that is appended next.
        self.choices.pause()
        self._append(text)
        self.choices.pause()
        self.run()

    def show_lines(self, row: int = -1) -> None:
        """Search for the context; with a row, followed by what that holds."""
        answer = self.state.answer.value
        if answer is None:
            return
        if 0 <= row < len(answer.rows) and answer.rows[row].token < 0:
            self._search((answer.context_text + answer.rows[row].insert).strip())
        else:
            after = (answer.rows[row].token,) if 0 <= row < len(answer.rows) else ()
            self._search_ids((*answer.used, *after))

    def _search_ids(self, ids: tuple[int, ...]) -> None:
        corpus = self.state.corpus
        if corpus is not None and ids:
            # A separator has no text.
            chosen = tuple(token for token in ids if token != corpus.index.separator)
            self._reader.run(
                lambda cancel: lines_text(corpus, chosen),
                # As tokens, there are as many lines as the button told.
                lambda found: (self._search_tokens if found[1] else self._search)(found[0]),
                self.fail,
            )

    def charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes charts of all that is shown; None if nothing is."""
        state, answer = self.state, self.state.answer.value
        if answer is None or not answer.seen:
            return None
        rungs = state.ladder.value.rungs if state.ladder.value is not None else ()
        return partial(make_charts, answer, self.beside.state.answer.value, rungs, self.tree.state.answer.value)

    def tree_charts(self) -> Callable[[], tuple[Chart, ...]] | None:
        """What makes charts of the word tree; None if there is none."""
        found = self.tree.state.answer.current
        return None if found is None else partial(make_tree_charts, found)

    def session(self) -> dict[str, Any]:
        """What was typed and chosen, as JSON values."""
        state = self.state
        settings = {name: value for name, value in state.question.session.items() if name in _KEPT}
        return {
            "prompt": state.prompt,
            **settings,
            "side": self.tree.state.side.value,
            "beside": self.beside.state.session,
        }

    def restore(self, values: dict[str, Any]) -> None:
        """Restore a session; missing or invalid values are left unchanged."""
        self.change(question=self.state.question.restored({name: values[name] for name in _KEPT if name in values}))
        if (side := values.get("side")) in [each.value for each in Side]:
            self.tree.turn(Side(side))
        if isinstance(prompt := values.get("prompt"), str):
            self.change(prompt=prompt)
        self.choices.forget()
        self.run()
        self.beside.restore(values.get("beside"))
