"""Every command of the window as a row of one table: the source of menus, shortcuts, the command palette and help."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from explorer.gui.screens.registry import SCREENS
from explorer.gui.settings import Settings
from explorer.i18n import mark, tr


@dataclass(frozen=True)
class ActionSpec:
    """One command. key: its default shortcut, in Qt's portable names; "" for none. menu "": not in a menu."""

    name: str
    menu: str
    text: str
    help: str
    key: str = ""
    group: int = 0


ACTIONS = (
    ActionSpec("open", "&File", "&Open index …", "Open an infini-gram index folder", "Ctrl+O"),
    ActionSpec("tokenizer", "&File", "Choose the &tokenizer …", "Open the same index with another tokenizer.json"),
    ActionSpec("sample", "&File", "Open the &sample index", "The Python standard library, built on first use"),
    ActionSpec("recent", "&File", "Open &recent", "Recently opened indexes"),
    ActionSpec("build", "&File", "&Build an index …", "Build an index from your own texts", "Ctrl+Shift+N", 1),
    ActionSpec("verify", "&File", "&Check this index …", "Check the open index for damage", "", 1),
    ActionSpec("new_window", "&File", "New &window", "Open a second window for another index", "Ctrl+N", 2),
    ActionSpec("settings", "&File", "Se&ttings …", "Theme, text size, startup, shortcuts", "Ctrl+,", 2),
    ActionSpec("close_window", "&File", "&Close window", "Close this window", "Ctrl+W", 3),
    ActionSpec("quit", "&File", "&Quit", "Close all windows", "Ctrl+Q", 3),
    *(ActionSpec(spec.id, "&View", spec.menu_text, spec.help, spec.key) for spec in SCREENS),
    ActionSpec("input", "&View", "Go to the in&put", "Move the cursor to the main input of this screen", "Ctrl+L", 1),
    ActionSpec("panel", "&View", "&Document panel", "Show or hide the document on the right", "Ctrl+D", 1),
    ActionSpec("larger", "&View", "&Larger text", "Increase the text size by one point", "Ctrl++", 2),
    ActionSpec("smaller", "&View", "S&maller text", "Decrease the text size by one point", "Ctrl+-", 2),
    ActionSpec("usual", "&View", "Defa&ult text size", "Use the system's text size", "Ctrl+0", 2),
    ActionSpec("system", "&View", "S&ystem theme", "Use the system's light or dark theme", "", 3),
    ActionSpec("light", "&View", "L&ight theme", "Always use the light theme", "", 3),
    ActionSpec("dark", "&View", "Dar&k theme", "Always use the dark theme", "", 3),
    ActionSpec("next_line", "&Go", "&Next line", "Select the next line and open its document", "F3"),
    ActionSpec("previous_line", "&Go", "&Previous line", "Select the previous line and open its document", "Shift+F3"),
    ActionSpec("history", "&Go", "&Recent queries", "Recent and pinned queries", "Ctrl+H", 1),
    ActionSpec("builder", "&Go", "Query &builder", "Build a query from clauses with AND, OR and NOT", "Ctrl+B", 1),
    ActionSpec("whole_words", "&Go", "&Whole words", "Find whole words only, or parts of words too", "Alt+W", 2),
    ActionSpec(
        "ignore_case", "&Go", "Ignore &case", "Treat uppercase and lowercase letters as equal, or not", "Alt+C", 2
    ),
    ActionSpec("match", "&Go", "&Text, expression or tokens …", "Choose how a query is read", "Alt+T", 2),
    ActionSpec("watch", "&Go", "Watch &list …", "Count all patterns in a file", "", 2),
    ActionSpec("find", "&Go", "&Find in the document", "Find text in the document on the right", "Ctrl+F", 3),
    ActionSpec("palette", "&Help", "&All commands …", "Find any command by name", "Ctrl+Shift+P"),
    ActionSpec("help", "&Help", "&Help for this screen", "What this screen is for and how to use it", "F1"),
    ActionSpec("shortcuts", "&Help", "&Keyboard shortcuts …", "List and change shortcuts"),
    ActionSpec("log", "&Help", "Show the &log …", "Unexpected errors of this program, stored on this computer", "", 1),
    ActionSpec("about", "&Help", "A&bout", "Version, license and libraries", "", 1),
)

FIXED_KEYS = (
    ("Ctrl+C", mark("Lines and tables: copy the selection")),
    (mark("Enter"), mark("Lines and lists: open")),
    (mark("Esc"), mark("Trace: show all; document panel: close")),
    (mark("Left, Right, Home, End"), mark("Agreement: move between tokens in the strip")),
    ("Ctrl+Z", mark("Next token: remove the last token")),
)
"""Keys that belong to a part of the window and stay as they are."""


class ActionBook:
    """The actions of one window, made from the table."""

    def __init__(self, window: QMainWindow, handlers: Mapping[str, Callable[[], object]], settings: Settings) -> None:
        self._settings = settings
        self.actions: dict[str, QAction] = {}
        for spec in ACTIONS:
            if spec.name in handlers:
                action = QAction(tr(spec.text), window)
                action.setStatusTip(tr(spec.help))
                action.triggered.connect(lambda _=False, call=handlers[spec.name]: call())
                self.actions[spec.name] = action
        self.apply_shortcuts()

    def key_of(self, spec: ActionSpec) -> str:
        """The shortcut of a command: the user's own, or the default from the table."""
        chosen = self._settings.get("shortcuts").get(spec.name, spec.key)
        return chosen if isinstance(chosen, str) else spec.key

    def shown_key(self, name: str) -> str:
        """A command's shortcut as the platform writes it."""
        return self.actions[name].shortcut().toString(QKeySequence.SequenceFormat.NativeText)

    def apply_shortcuts(self) -> None:
        """Give every action its shortcut."""
        for spec in ACTIONS:
            if (action := self.actions.get(spec.name)) is not None:
                action.setShortcut(QKeySequence.fromString(self.key_of(spec)))

    def fill_menus(self, window: QMainWindow, submenus: Mapping[str, QMenu]) -> None:
        """Fill the menu bar in the table's order, with a line between groups.

        Parameters
        ----------
        window
            The window with the menu bar.
        submenus
            Menus that take the place of a command, by the command's name.
        """
        menus: dict[str, QMenu] = {}
        last: dict[str, int] = {}
        for spec in ACTIONS:
            if spec.menu not in menus:
                menus[spec.menu] = window.menuBar().addMenu(tr(spec.menu))
            menu = menus[spec.menu]
            if spec.group != last.get(spec.menu, 0):
                menu.addSeparator()
            last[spec.menu] = spec.group
            if spec.name in submenus:
                menu.addMenu(submenus[spec.name])
            elif spec.name in self.actions:
                menu.addAction(self.actions[spec.name])


def plain(text: str) -> str:
    """A menu text without the & that marks a letter."""
    return text.replace("&", "").removesuffix(" …")


def clashes(keys: Mapping[str, str]) -> set[str]:
    """Names of the commands that share a shortcut with another."""
    holders: dict[str, list[str]] = {}
    for name, key in keys.items():
        if key:
            holders.setdefault(QKeySequence.fromString(key).toString(), []).append(name)
    return {name for names in holders.values() if len(names) > 1 for name in names}
