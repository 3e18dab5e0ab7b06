"""Another index beside the open one: what follows the same prompt there. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from explorer.api import Corpus, open_index
from explorer.errors import CorpusError
from explorer.gui.answer import Answer
from explorer.gui.hints import told
from explorer.gui.presenter import Presenter, Services
from explorer.gui.screens.next_token.work import NextAnswer, NextRequest, ask
from explorer.i18n import counted, tr
from explorer.jobs import Kind


@dataclass(frozen=True, eq=False)
class BesideState:
    """The other index and its answer.

    Attributes
    ----------
    corpus
        The other index; None for none.
    answer
        What follows the prompt there.
    error
        Why the other index cannot be opened.
    """

    corpus: Corpus | None = None
    answer: Answer[NextAnswer] = field(default_factory=Answer)
    error: CorpusError | None = None

    @property
    def caption(self) -> str:
        """The other index, and what it knows of the prompt; "" for no other index."""
        if self.corpus is None:
            return ""
        answer = self.answer.value
        if answer is None:
            return self.corpus.index.name
        return tr(
            "{name}: {context_length} of context, {context_count}",
            name=self.corpus.index.name,
            context_length=counted("token", answer.context_length),
            context_count=counted("hit", answer.context_count),
        )

    @property
    def notice(self) -> str:
        """What went wrong last; "" for nothing."""
        error = self.error or self.answer.error
        return "" if error is None else told(error)


class BesidePresenter(Presenter[BesideState]):
    """Asks the other index whatever the open one is asked.

    Parameters
    ----------
    services
        Slots.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(BesideState())
        self._asker = services.slot("next beside")
        self._opener = services.slot("open beside", kind=Kind.APART)
        self._request: NextRequest | None = None

    def ask(self, request: NextRequest | None) -> None:
        """Ask what the open index is asked; None: nothing is asked, and nothing is shown."""
        self._request = request
        if request is None:
            self._asker.cancel()
            self.change(answer=Answer())
        elif self.state.corpus is not None:
            other = replace(request, corpus=self.state.corpus)
            self.change(answer=self.state.answer.asked())
            self._asker.run(lambda cancel: ask(other, cancel), self._take, self._fail)

    def open(self, path: str) -> None:
        """Open an index to compare with."""
        self._opener.run(lambda cancel: open_index(path), self.put, self._fail_opening)

    def put(self, corpus: Corpus | None) -> None:
        """Ask this index, too; None: no second index."""
        self._asker.cancel()
        # Also an index that is being opened: it must not come back after the comparison was ended.
        self._opener.cancel()
        self.change(corpus=corpus, answer=Answer(), error=None)
        self.ask(self._request)

    def _take(self, answer: NextAnswer) -> None:
        self.change(answer=self.state.answer.arrived(answer))

    def _fail(self, error: CorpusError) -> None:
        self.change(answer=self.state.answer.failed(error))

    def _fail_opening(self, error: CorpusError) -> None:
        self.change(error=error)
