"""Another index beside the open one: what follows the same prompt there. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from explorer.core.jobs import Kind
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.index.beside import Beside, Remedy, open_waiting, read_beside
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.hints import told
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.screens.next_token.work import NextAnswer, NextRequest, ask
from explorer.i18n import counted, tr


@dataclass(frozen=True, eq=False)
class BesideState:
    """The other index and its answer.

    entry: The other index, open or not; None for none.
    answer: What follows the prompt there.
    error: Why another index was not taken.
    """

    entry: Beside | None = None
    opening: bool = False
    answer: Answer[NextAnswer] = field(default_factory=Answer)
    error: CorpusError | None = None

    @property
    def corpus(self) -> Corpus | None:
        """The other index; None for none, and until it is open."""
        return None if self.entry is None else self.entry.corpus

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
        """What went wrong last, and what is wrong with the index of a session; "" for nothing."""
        error = self.error or self.answer.error
        trouble = "" if self.entry is None or self.opening else self.entry.said
        return " ".join(filter(None, ("" if error is None else told(error), trouble)))

    @property
    def remedies(self) -> tuple[Remedy, ...]:
        """What can be done about the index."""
        return () if self.entry is None or self.opening else self.entry.remedies

    @property
    def session(self) -> list[dict[str, Any]]:
        """The other index, as JSON values; none if it was just chosen, and may not open."""
        return [self.entry.session] if self.entry is not None and self.entry.kept else []


class BesidePresenter(Presenter[BesideState]):
    """Asks the other index whatever the open one is asked."""

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
        self._open(Beside(path))

    def put(self, entry: Beside | None) -> None:
        """Ask this index, too; None: no second index."""
        self._asker.cancel()
        # Also an index that is being opened: it must not come back after the comparison was ended.
        self._opener.cancel()
        self.change(entry=entry, opening=False, answer=Answer(), error=None)
        self.ask(self._request)

    def restore(self, found: Any) -> None:
        """Compare with the index of a session, or with none; other values are left out."""
        before = () if self.state.entry is None else (self.state.entry,)
        entries = read_beside(found, before)
        if entries is not None:
            self.put(entries[0] if entries else None)
            self.again()

    def locate(self, path: str) -> None:
        """Open the index in another folder."""
        if self.state.entry is not None:
            self._open(self.state.entry.at(path))

    def again(self) -> None:
        """Try once more to open the index, if it is not open."""
        entry = self.state.entry
        if entry is not None and entry.corpus is None:
            self._open(entry.to_open())

    def use_anyway(self) -> None:
        """Accept the other contents of the index."""
        if self.state.entry is not None:
            self.change(entry=replace(self.state.entry, changed=False))

    def leave_out(self) -> None:
        """Compare with no other index; it is not saved any more."""
        self.put(None)

    def _open(self, entry: Beside) -> None:
        # One that was just chosen takes the place of the other when it is open.
        self.change(opening=True, error=None, **({"entry": entry} if entry.kept else {}))
        self._opener.run(lambda cancel: open_waiting((entry,), None, cancel)[0], self._opened, self._fail_opening)

    def _opened(self, entry: Beside) -> None:
        if entry.error is not None and not entry.kept:
            self._fail_opening(entry.error)
        else:
            self.put(entry)

    def _take(self, answer: NextAnswer) -> None:
        self.change(answer=self.state.answer.arrived(answer))

    def _fail(self, error: CorpusError) -> None:
        self.change(answer=self.state.answer.failed(error))

    def _fail_opening(self, error: CorpusError) -> None:
        self.change(error=error, opening=False)
