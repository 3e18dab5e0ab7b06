"""Shares the open index with other programs of this machine. No Qt."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from explorer.errors import Cancelled, CorpusError
from explorer.gui.presenting.hints import told
from explorer.gui.presenting.presenter import Presenter, Slot
from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.remote.snippets import assistant_lines, curl_line, openai_lines
from explorer.i18n import mark, tr, trn
from explorer.version import install_command

if TYPE_CHECKING:
    from explorer.core.jobs import CancelToken
    from explorer.corpus import Corpus
    from explorer.serve.sharing import Shared, ShareRequest

_BITS = 256
COPIES: tuple[tuple[str, str, Callable[[str, str, str], str]], ...] = (
    ("address", mark("Address"), lambda address, name, token: address),
    ("token", mark("Token"), lambda address, name, token: token),
    ("curl", mark("Line for curl"), curl_line),
    ("openai", mark("Program for the openai client"), openai_lines),
    ("assistant", mark("Configuration of an assistant"), assistant_lines),
)
"""What can be copied: an id, a name, and what makes it of address, name and token."""


@dataclass(frozen=True, eq=False)
class ShareState:
    """The switch, and what it shares.

    on: Whether an index is shared, or is about to be.
    stopping: Whether it was asked to stop.
    name: The name of the index that is shared; another one may be open by now.
    token: What each request must carry.
    shared: Where it is asked; None before it starts.
    error: Why it could not be shared.
    assistants: Whether the server has tools for assistants.
    """

    corpus: Corpus | None = None
    on: bool = False
    stopping: bool = False
    name: str = ""
    token: str = field(default="", repr=False)
    shared: Shared | None = None
    error: CorpusError | None = None
    assistants: bool = True

    @property
    def why_not(self) -> str:
        """Why the open index cannot be shared; "" if it can, or if one is shared."""
        if self.on:
            return tr("It ends when the last question is answered.") if self.stopping else ""
        if self.corpus is None:
            return tr("Open an index first.")
        if not self.corpus.folders:
            return tr("Only an index in folders on this machine can be shared.")
        return "" if self.corpus.index.has_tokenizer else tr("An index without a tokenizer cannot be shared.")

    @property
    def sentence(self) -> str:
        """What is shared, or what sharing is."""
        if self.stopping:
            return tr("Stopping …")
        if not self.on:
            return tr(
                "Lets scripts, assistants and other programs of this computer ask this index, with a token. Other "
                "machines cannot reach it."
            )
        if self.shared is None:
            return tr("Starting the server …")
        questions = trn("{n:,} question today", "{n:,} questions today", self.shared.questions)
        return tr(
            "{name} is shared at {address} · {questions}",
            name=self.name,
            address=self.shared.address,
            questions=questions,
        )

    @property
    def can_copy(self) -> bool:
        """Whether there is something to copy."""
        return self.on and not self.stopping and self.shared is not None

    def why_not_copy(self, id: str) -> str:
        """Why something cannot be copied; "" if it can. `id`: of `COPIES`."""
        if id == "assistant" and not self.assistants:
            return tr("Tools for assistants need another package: {command}", command=install_command("mcp"))
        return ""

    @property
    def notice(self) -> str:
        """Why the index could not be shared; "" for nothing."""
        return "" if self.error is None else told(self.error)


class SharePresenter(Presenter[ShareState]):
    """The switch without its widget. What is shared stays so until it is switched off, or the window is closed.

    slot: Has the server's process; it is busy as long as that runs.
    """

    def __init__(self, slot: Slot) -> None:
        super().__init__(ShareState())
        self._slot = slot
        self._request = OpenRequest(())

    def use_corpus(self, corpus: Corpus | None, request: OpenRequest) -> None:
        """Offer another index; what is shared already stays so."""
        self._request = request
        self.change(corpus=corpus, error=None)

    def switch(self, on: bool) -> None:
        """Share the open index, or stop."""
        if on and not self.state.on and not self.state.why_not:
            self._start()
        elif not on and self.state.on and not self.state.stopping:
            self.change(stopping=True)
            self._slot.end(keep=True)

    def _start(self) -> None:
        from explorer.serve.sharing import takes_assistants

        corpus = self.state.corpus
        assert corpus is not None
        token = secrets.token_hex(_BITS // 8)
        self.change(
            on=True, stopping=False, name=corpus.index.name, token=token, shared=None, error=None,
            assistants=takes_assistants(),
        )  # fmt: skip
        request = _share_request(self._request, corpus, token)
        send = self._slot.interim(self._tell, 0.0)
        self._slot.run(lambda cancel: _share(request, send, cancel), lambda _: self._end(None), self._end)

    def copied(self, id: str) -> str:
        """The text of something that can be copied; "" for nothing. `id`: of `COPIES`."""
        state = self.state
        if state.shared is None or not state.can_copy:
            return ""
        make = next(make for known, _, make in COPIES if known == id)
        return make(state.shared.address, state.name, state.token)

    def _tell(self, shared: Shared) -> None:
        self.change(shared=shared)

    def _end(self, error: CorpusError | None) -> None:
        self.change(on=False, stopping=False, token="", shared=None, error=error)


def _share_request(opened: OpenRequest, corpus: Corpus, token: str) -> ShareRequest:
    from explorer.backends.request import IndexRequest
    from explorer.serve.sharing import ShareRequest

    index = IndexRequest(opened.paths, opened.tokenizer, opened.minus, check_fit=opened.check_fit)
    return ShareRequest(index, corpus.index.name, token)


def _share(request: ShareRequest, send: Callable[[Callable[[], Shared]], None], cancel: CancelToken) -> None:
    """Off the interface thread, until it is to end."""
    from explorer.serve.sharing import share_in_child

    try:
        share_in_child(request, lambda shared: send(lambda: shared), cancel)
    except Cancelled:
        # Asked to stop, its process took too long: it is gone all the same, and the switch has to know.
        if not cancel.paused:
            raise
