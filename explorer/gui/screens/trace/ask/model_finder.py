"""Which models can be asked: nothing is sent before the user wants a list. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from explorer.core.jobs import Kind
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.hints import told
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.screens.trace.ask.state import Seat
from explorer.gui.screens.trace.ask.work import list_models, look_around
from explorer.i18n import tr, trn

# A connection brings modules along that nothing else in the window needs.
if TYPE_CHECKING:
    from explorer.neural.chat import FoundServer


@dataclass(frozen=True, eq=False)
class FinderState:
    """What was found.

    found: Servers with their models.
    """

    found: Answer[tuple[FoundServer, ...]] = field(default_factory=Answer)

    @property
    def offered(self) -> tuple[Seat, ...]:
        """The models that were found."""
        return tuple(Seat(server.url, model) for server in self.found.value or () for model in server.models)

    @property
    def asks_consent(self) -> bool:
        """Whether a list was wanted of a machine that is not this one."""
        return self.found.error is not None and self.found.error.reason == "not-this-machine"

    @property
    def text(self) -> str:
        """What came of looking for models; "" before that."""
        if self.found.awaited:
            return tr("Looking …")
        if self.found.error is not None:
            return told(self.found.error)
        if self.found.value is None:
            return ""
        if not self.found.value:
            return tr("No server answers at ports 8080, 11434, 1234 and 8000 of this computer.")
        return trn("{n:,} model found", "{n:,} models found", len(self.offered))


class ModelFinder(Presenter[FinderState]):
    """Lists models."""

    def __init__(self, services: Services) -> None:
        super().__init__(FinderState())
        self._slot = services.slot("models", timed=False, kind=Kind.APART)

    def find(self) -> None:
        """Look for servers at the usual ports of this machine."""
        self.change(found=Answer[tuple["FoundServer", ...]]().asked())
        self._slot.run(look_around, self._take, self._fail)

    def list_models(self, url: str, allowed: frozenset[str], key: str | None = None) -> None:
        """Ask one server for its models.

        allowed: Hosts that are not this machine and to which the user agreed.
        key: What the server asks for; None for nothing.
        """
        self.change(found=Answer[tuple["FoundServer", ...]]().asked())
        self._slot.run(lambda cancel: list_models(url, allowed, key, cancel), self._take, self._fail)

    def _take(self, found: tuple[FoundServer, ...]) -> None:
        self.change(found=self.state.found.arrived(found))

    def _fail(self, error: CorpusError) -> None:
        self.change(found=self.state.found.failed(error))
