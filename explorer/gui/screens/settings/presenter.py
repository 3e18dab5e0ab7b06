"""Changes settings, at once, and takes changes back. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from explorer.gui.presenting.presenter import Presenter
from explorer.gui.presenting.requests import ChangeSetting, Request
from explorer.gui.screens.settings.state import PAGES, SHOWN, SettingsState, Step

_MOST_STEPS = 100


class Values(Protocol):
    """Where values are read; `Settings` satisfies it."""

    def get(self, key: str) -> Any:
        """The value of a setting."""


class SettingsPresenter(Presenter[SettingsState]):
    """The Settings screen.

    ask: Asks the window to change a setting, which takes effect at once.
    """

    def __init__(self, ask: Callable[[Request], object]) -> None:
        super().__init__(SettingsState())
        self._ask = ask
        self._stored: Values | None = None

    def use(self, stored: Values) -> None:
        """Show these settings."""
        self._stored = stored
        self.refresh()

    def refresh(self) -> None:
        """Read all values again: menus and other windows change them, too."""
        if self._stored is not None:
            values = {setting.key: self._stored.get(setting.key) for setting in SHOWN}
            # Compared here: `change` takes two mappings for different, and a draw would set every control again.
            if values != self.state.values:
                self.change(values=values)

    def set(self, key: str, value: Any) -> None:
        """Change a setting."""
        self._put(((key, value),))

    def reset(self, page: str) -> None:
        """Change all settings of a page to their defaults; one undo takes it back."""
        self._put(tuple((setting.key, setting.default) for setting in SHOWN if setting.section == page))

    def _put(self, wanted: Step) -> None:
        values = self.state.values
        changed = tuple((key, value) for key, value in wanted if values[key] != value)
        if changed:
            # Noted before it is stored: a draw in between finds a step that can be undone.
            before = tuple((key, values[key]) for key, _ in changed)
            self.change(steps=(*self.state.steps, before)[-_MOST_STEPS:])
            self._store(changed)

    def undo(self) -> None:
        """Take the last change back."""
        if self.state.steps:
            # Not a change of its own: undoing an undo would never reach the older ones.
            *rest, last = self.state.steps
            self.change(steps=tuple(rest))
            self._store(last)

    def _store(self, values: Step) -> None:
        # One by one, as if the user changed them: each takes effect before the next.
        for key, value in values:
            self._ask(ChangeSetting(key, value))
        self.refresh()

    def show_page(self, page: str) -> None:
        """Show a page, by its title; what was looked for is forgotten."""
        if page in PAGES:
            self.change(page=page, typed="")

    def find(self, typed: str) -> None:
        """Look for words in all settings."""
        self.change(typed=typed)
