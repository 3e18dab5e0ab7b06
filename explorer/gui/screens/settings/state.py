"""What the Settings screen shows. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from explorer.gui.settings.schema import SETTINGS, Setting
from explorer.i18n import mark, tr

SHORTCUTS = mark("Shortcuts")
"""The last page: it has a table instead of rows."""
SHOWN = tuple(setting for setting in SETTINGS if setting.section)
"""The settings that the user chooses; others the program remembers by itself, such as the size of the window."""
PAGES = (*dict.fromkeys(setting.section for setting in SHOWN), SHORTCUTS)
"""Titles of the pages, in their order, not yet translated."""

Step = tuple[tuple[str, Any], ...]
"""What one undo puts back: settings and their values before."""


@dataclass(frozen=True, eq=False)
class SettingsState:
    """Values, and which of them are in view.

    values: All values of the page's settings, by key.
    typed: What is looked for, in all pages; "" shows the page.
    steps: What can be undone, the last change last.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    page: str = PAGES[0]
    typed: str = ""
    steps: tuple[Step, ...] = ()

    @property
    def found(self) -> tuple[Setting, ...]:
        """The settings in view: those of the page, or those in which the words occur that were typed."""
        # All words must occur, in any order and anywhere in title, sentence, page and choices.
        words = self.typed.lower().split()
        if not words:
            return tuple(setting for setting in SHOWN if setting.section == self.page)
        return tuple(setting for setting in SHOWN if all(word in _text_of(setting) for word in words))

    @property
    def pages(self) -> tuple[str, ...]:
        """The pages in view: the one that was chosen, or all in which something was found."""
        # Spaces alone are not a search.
        if not self.typed.split():
            return (self.page,)
        return tuple(dict.fromkeys(setting.section for setting in self.found))

    @property
    def shows_shortcuts(self) -> bool:
        """Whether the table of shortcuts is in view."""
        return self.page == SHORTCUTS and not self.typed.split()

    @property
    def nothing_found(self) -> bool:
        """Whether no setting has the words that were typed."""
        return not self.found and not self.shows_shortcuts

    def changed(self, setting: Setting) -> bool:
        """Whether a setting differs from its default."""
        # By value and not by whether it is in the file: a value that was chosen and taken back counts as unchanged.
        return bool(self.values.get(setting.key, setting.default) != setting.default)

    def page_changed(self, page: str) -> bool:
        """Whether a setting of a page differs from its default."""
        return any(self.changed(setting) for setting in SHOWN if setting.section == page)


def _text_of(setting: Setting) -> str:
    """The words by which a setting is found, also those of its choices."""
    parts = (setting.section, setting.title, setting.help, *(name for _, name in setting.choices))
    return " ".join(tr(part) for part in parts).lower()
