"""The screens of a window, each made when it is first needed: the window is there before all of them are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module

from explorer.gui.screen import Screen

PICTURES = {"Search": "search", "Next token": "next", "Trace": "trace", "Agreement": "agreement", "Index": "index"}
"""The screens in their order, with the names of their icons."""
NAMES = tuple(PICTURES)


def _made(name: str) -> Screen:
    """A new screen; its modules are loaded now."""
    folder = name.lower().replace(" ", "_")
    module = import_module(f"explorer.gui.screens.{folder}.screen")
    screen = getattr(module, f"{name.title().replace(' ', '')}Screen")()
    assert isinstance(screen, Screen)
    return screen


class ScreenSet(Mapping[str, Screen]):
    """A mapping from names to screens, which makes what is asked for. `adopt(name, screen)`: a new one."""

    def __init__(self, adopt: Callable[[str, Screen], None]) -> None:
        self._adopt = adopt
        self._screens: dict[str, Screen] = {}

    def __getitem__(self, name: str) -> Screen:
        if name not in NAMES:
            raise KeyError(name)
        if name not in self._screens:
            screen = self._screens[name] = _made(name)
            self._adopt(name, screen)
        return self._screens[name]

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)

    def made(self) -> dict[str, Screen]:
        """Those that were made so far."""
        return dict(self._screens)

    def name_of(self, screen: Screen) -> str:
        """The name of one that was made."""
        return next(name for name, known in self._screens.items() if known is screen)

    def make_next(self) -> bool:
        """Make one more; False where all are made."""
        for name in NAMES:
            if name not in self._screens:
                self[name]
                return True
        return False
