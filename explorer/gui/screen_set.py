"""The screens of a window, each created when it is first needed: the window is shown before all of them exist."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, cast

from explorer.gui.screen import Screen

if TYPE_CHECKING:
    from explorer.gui.screens.agreement.screen import AgreementScreen
    from explorer.gui.screens.index.screen import IndexScreen
    from explorer.gui.screens.next_token.screen import NextTokenScreen
    from explorer.gui.screens.search.screen import SearchScreen
    from explorer.gui.screens.trace.screen import TraceScreen

PICTURES = {"Search": "search", "Next token": "next", "Trace": "trace", "Agreement": "agreement", "Index": "index"}
"""The screens in their order, with the names of their icons."""
NAMES = tuple(PICTURES)


def _module(name: str) -> str:
    return f"explorer.gui.screens.{name.lower().replace(' ', '_')}.screen"


def _made(name: str) -> Screen:
    """Create a screen; loads its modules if necessary."""
    screen = getattr(import_module(_module(name)), f"{name.title().replace(' ', '')}Screen")()
    assert isinstance(screen, Screen)
    return screen


class ScreenSet(Mapping[str, Screen]):
    """A mapping from names to screens, which creates screens on request. `adopt(name, screen)`: a new one."""

    def __init__(self, adopt: Callable[[str, Screen], None]) -> None:
        self._adopt = adopt
        self._screens: dict[str, Screen] = {}
        self._ahead: dict[str, Screen] = {}
        self._loading = False
        self._loaded: set[str] = set()

    def __getitem__(self, name: str) -> Screen:
        if name not in NAMES:
            raise KeyError(name)
        if name not in self._screens:
            screen = self._screens[name] = self._ahead.pop(name) if name in self._ahead else _made(name)
            self._adopt(name, screen)
        return self._screens[name]

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)

    def made(self) -> dict[str, Screen]:
        """The screens that were created so far."""
        return dict(self._screens)

    def name_of(self, screen: Screen) -> str:
        """The name of a screen that was created."""
        return next(name for name, known in self._screens.items() if known is screen)

    def _load(self) -> None:
        """Load the modules of all screens off the interface thread, which they would block for half a second."""
        for name in NAMES:
            try:
                import_module(_module(name))
            finally:
                # If it fails, creating the screen raises the reason.
                self._loaded.add(name)

    def make_next(self) -> bool:
        """Create one more screen if its modules are loaded; the next call adopts it. False if all were created."""
        missing = [name for name in NAMES if name not in self._screens]
        if missing and not self._loading:
            self._loading = True
            # Not a daemon: a module that is half loaded when the program ends is loaded completely first.
            threading.Thread(target=self._load, name="screens").start()
        elif missing and missing[0] in self._ahead:
            self[missing[0]]
        elif missing and missing[0] in self._loaded:
            self._ahead[missing[0]] = _made(missing[0])
        return bool(missing)


class NamedScreens:
    """The screens of a window by name; each is created when it is first needed."""

    screens: ScreenSet

    @property
    def search(self) -> SearchScreen:
        """The Search screen."""
        return cast("SearchScreen", self.screens["Search"])

    @property
    def next_token(self) -> NextTokenScreen:
        """The Next token screen."""
        return cast("NextTokenScreen", self.screens["Next token"])

    @property
    def trace(self) -> TraceScreen:
        """The Trace screen."""
        return cast("TraceScreen", self.screens["Trace"])

    @property
    def agreement(self) -> AgreementScreen:
        """The Agreement screen."""
        return cast("AgreementScreen", self.screens["Agreement"])

    @property
    def index(self) -> IndexScreen:
        """The Index screen."""
        return cast("IndexScreen", self.screens["Index"])
