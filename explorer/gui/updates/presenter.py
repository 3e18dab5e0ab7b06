"""Asks whether there is a newer version: when somebody wants to know, or once a week if that was switched on. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol

from explorer.errors import CorpusError
from explorer.gui.presenting.hints import told
from explorer.gui.presenting.presenter import Presenter, Slot
from explorer.gui.presenting.requests import Request, ShowUpdates, Told
from explorer.i18n import tr
from explorer.version import VERSION

if TYPE_CHECKING:
    from explorer.core.jobs import CancelToken
    from explorer.http.releases import Releases

WEEKLY, ASKED, TOLD = "updates_weekly", "updates_asked", "updates_told"
"""In the settings: whether to ask once a week, when an answer came last, and the version that a message named."""
_WEEK = timedelta(days=7)


class Values(Protocol):
    """Where values are kept; `Settings` satisfies it."""

    def get(self, key: str) -> Any:
        """The value of a setting."""

    def set(self, key: str, value: Any) -> None:
        """Store a value."""


@dataclass(frozen=True)
class UpdateState:
    """What is known about newer versions.

    releases: Who is asked; None if this copy does not know.
    weekly: Whether it is asked once a week.
    asking: Whether an answer is awaited.
    newest: The newest version that is released; "" before an answer.
    error: Why the last request failed.
    """

    releases: Releases | None = None
    weekly: bool = False
    asking: bool = False
    newest: str = ""
    error: CorpusError | None = None

    @property
    def has_newer(self) -> bool:
        """Whether there is a newer version than this one."""
        from explorer.http.releases import is_newer

        return bool(self.newest) and is_newer(self.newest, VERSION)

    @property
    def installed(self) -> str:
        """The version that runs."""
        return tr("This is version {version}.", version=VERSION)

    @property
    def about(self) -> str:
        """What asking sends, or why nobody can be asked."""
        if self.releases is None:
            return tr(
                "This copy does not know where new versions are published: it was made from the source code. Update it "
                "the way you installed it."
            )
        return tr(
            "To find out, the program asks {host} for the number of the newest version. It sends nothing about you, "
            "your texts or this version; {host} sees your network address.",
            host=self.releases.address.short,
        )

    @property
    def answer(self) -> str:
        """What was found, in a sentence; "" before an answer."""
        if self.asking:
            return tr("Asking …")
        if self.error is not None:
            return told(self.error)
        if not self.newest:
            return ""
        if self.has_newer:
            return tr("Version {version} is available. Nothing was downloaded.", version=self.newest)
        return tr("This is the newest version.")


class UpdatePresenter(Presenter[UpdateState]):
    """Asks, and remembers the answer as long as the window is open.

    ask: Asks the window for something.
    releases: Who is asked; None if this copy does not know.
    """

    def __init__(
        self, slot: Slot, kept: Values, ask: Callable[[Request], object], releases: Releases | None = None
    ) -> None:
        super().__init__(UpdateState(releases, kept.get(WEEKLY)))
        self._slot, self._kept, self._ask = slot, kept, ask

    def choose_weekly(self, weekly: bool) -> None:
        """Ask once a week, or only when somebody wants to know."""
        self._kept.set(WEEKLY, weekly)
        self.change(weekly=weekly)

    def look(self) -> None:
        """Ask now."""
        self._look(lambda: None)

    def look_if_due(self) -> None:
        """Ask if this was switched on and no answer came for a week; a newer version is told once."""
        if self.state.weekly and _is_due(self._kept.get(ASKED)):
            self._look(self._tell)

    def _look(self, then: Callable[[], None]) -> None:
        releases = self.state.releases
        if releases is None or self.state.asking:
            return
        self.change(asking=True, error=None)

        def found(version: str) -> None:
            self._kept.set(ASKED, datetime.now(UTC).isoformat(timespec="seconds"))
            self.change(asking=False, newest=version)
            then()

        self._slot.run(lambda cancel: _ask_for_version(releases, cancel), found, self._fail)

    def _fail(self, error: CorpusError) -> None:
        # Shown in the dialog only: a machine without a network should not report this every week.
        self.change(asking=False, error=error)

    def _tell(self) -> None:
        newest = self.state.newest
        if self.state.has_newer and newest != self._kept.get(TOLD):
            self._kept.set(TOLD, newest)
            sentence = tr("Version {version} of Corpus Explorer is available.", version=newest)
            self._ask(Told(sentence, (tr("Show"), ShowUpdates())))


def _ask_for_version(releases: Releases, cancel: CancelToken) -> str:
    from explorer.http.releases import newest_version

    return newest_version(releases, cancel)


def _is_due(asked: str) -> bool:
    """Whether a time in the settings is a week ago; anything else, or a time in the future, counts as never."""
    try:
        passed = datetime.now(UTC) - datetime.fromisoformat(asked)
    except (ValueError, TypeError):
        return True
    return passed >= _WEEK or passed < timedelta(0)
