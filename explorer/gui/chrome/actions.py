"""What a command of the window is, and its action: in the menu, with a shortcut, in the palette."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from explorer.gui.index.recents import RecentIndex
from explorer.gui.presenting.requests import Request
from explorer.gui.settings.store import Settings
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.fields.menu import Menu
from explorer.i18n import mark, tr

if TYPE_CHECKING:
    from explorer.gui.screens.screen import Screen

# The texts are also the identity of the menus in the rows; they are translated when a menu is made.
FILE, EDIT, VIEW, GO, HELP = mark("&File"), mark("&Edit"), mark("&View"), mark("&Go"), mark("&Help")
MENUS = (FILE, EDIT, VIEW, GO, HELP)
PICTURES = dict(zip(MENUS, ("document", "pencil", "eye", "chevron-right", "help"), strict=True))
"""The icons of commands that have none of their own, by their menus."""


class WindowCommands(Protocol):
    """All that commands know of a window."""

    settings: Settings

    def ask(self, request: Request) -> None:
        """Have a request done by the part of the window that takes it."""

    def show_screen(self, id: str) -> Screen:
        """Bring a screen to the front at once."""

    def go_to(self, id: str, then: Callable[[Screen], object]) -> None:
        """Bring a screen to the front as soon as it exists, and do something with it then."""

    def current_screen(self) -> Screen:
        """The visible screen."""

    def recent_indexes(self) -> Sequence[RecentIndex]:
        """The recent indexes, pinned ones first."""


Act = Callable[[WindowCommands], object]


@dataclass(frozen=True)
class OnScreen:
    """Brings a screen to the front and does something with it. screen: its id."""

    screen: str
    # `Any`: the row knows the class of its screen. `check_commands` sees to it that the screen exists.
    act: Callable[[Any], object]

    def __call__(self, window: WindowCommands) -> None:
        """Do it in a window."""
        window.go_to(self.screen, self.act)


@dataclass(frozen=True)
class Entry:
    """A line of a submenu. text: in the menu; name, hint: in the palette; asks: for what; tip: more about it."""

    text: str
    name: str
    hint: str
    asks: Request
    tip: str = ""


@dataclass(frozen=True)
class Submenu:
    """A command that opens a menu; its entries are listed each time."""

    entries: Callable[[WindowCommands], Sequence[Entry]]
    empty: str
    """Shown if there are none; not yet translated."""


@dataclass(frozen=True)
class CommandSpec:
    """One command.

    id: Its identity, in the settings and in the code.
    text, help: Its text in the menu, and a sentence; not yet translated.
    does: What it asks the window for, or a function of the window, or a submenu.
    key: Its default shortcut, in Qt's portable names; "" for none.
    group: Its place in the menu: there is a line between groups.
    picture: The name of its icon in the palette; "" for that of its menu.
    needs_index: Whether it can be used only while an index is open.
    of_focus: Whether it acts on what has the focus, where its key works by itself: the menu shows the key, nobody can
        change it, and the palette, which takes the focus, does not list it.
    """

    id: str
    menu: str
    text: str
    help: str
    does: Request | Act | Submenu
    key: str = ""
    group: int = 0
    picture: str = ""
    needs_index: bool = False
    of_focus: bool = False

    def __post_init__(self) -> None:
        # Python does not check annotations: such a row would be a line in a menu that does nothing.
        if not (isinstance(self.does, Request | Submenu) or callable(self.does)):
            raise TypeError(f"the command {self.id} does nothing")
        if self.menu not in MENUS:
            raise ValueError(f"the command {self.id} is in no menu: {self.menu!r}")

    def run(self, window: WindowCommands) -> None:
        """Do it in a window; a submenu does nothing by itself."""
        if isinstance(self.does, Request):
            window.ask(self.does)
        elif not isinstance(self.does, Submenu):
            self.does(window)


def check_commands(commands: Sequence[CommandSpec], screens: Sequence[str]) -> None:
    """Check at start that the commands do not clash, and that the screens they use exist.

    Raises `ValueError` if two commands have the same id or default shortcut.
    """
    ids = [spec.id for spec in commands]
    if twice := sorted({id for id in ids if ids.count(id) > 1}):
        raise ValueError(f"two commands have the id {', '.join(twice)}")
    # Only the defaults: if the user's own shortcuts clash, the settings dialog reports it.
    if both := sorted(clashes({spec.id: spec.key for spec in commands if not spec.of_focus})):
        raise ValueError(f"the commands {', '.join(both)} have the same shortcut")
    for spec in commands:
        if isinstance(spec.does, OnScreen) and spec.does.screen not in screens:
            raise LookupError(f"the command {spec.id} is for the unknown screen {spec.does.screen}")


FIXED_KEYS = (
    (mark("Enter"), mark("Lines and lists: open")),
    (mark("Esc"), mark("Trace: show all; document panel: close")),
    (mark("Left, Right, Home, End"), mark("Agreement: move between tokens in the strip")),
    ("Ctrl+Z", mark("Next token: remove the last token")),
)
"""Keys that belong to a part of the window and stay as they are."""


class ActionBook:
    """The actions of one window, made from rows.

    parent, window: The window, as the owner of the actions and as commands know it.
    settings: The settings with the user's own shortcuts.
    """

    def __init__(
        self, parent: QMainWindow, window: WindowCommands, commands: Sequence[CommandSpec], settings: Settings
    ) -> None:
        self._window = window
        self._settings = settings
        self.commands = tuple(commands)
        self.actions: dict[str, QAction] = {}
        self._reasons: dict[str, str] = {}
        # What is to be done before a menu opens, by its name.
        self.before: dict[str, Callable[[], object]] = {}
        self.submenus: dict[str, QMenu] = {}
        for spec in commands:
            if isinstance(spec.does, Submenu):
                self.submenus[spec.id] = self._make_submenu(parent, spec.text, spec.does)
            else:
                # Owned by the window, not by a menu: its shortcut must work before the menu was ever opened.
                self.actions[spec.id] = self._make_action(parent, spec)
        self.apply_shortcuts()
        self._fill_menus(parent)

    def _make_action(self, parent: QMainWindow, spec: CommandSpec) -> QAction:
        action = QAction(tr(spec.text), parent)
        action.setStatusTip(tr(spec.help))
        if spec.of_focus:
            # The menu shows the key, but does not take it from the part that has the focus.
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(lambda _=False: spec.run(self._window))
        return action

    def _make_submenu(self, parent: QMainWindow, text: str, submenu: Submenu) -> QMenu:
        # Its entries have no shortcuts: what follows a tab in them is shown as it is.
        menu = QMenu(tr(text), parent.menuBar())
        # Filled each time it opens: another window may have changed the list.
        menu.aboutToShow.connect(partial(self._fill_submenu, menu, submenu))
        return menu

    def _fill_submenu(self, menu: QMenu, submenu: Submenu) -> None:
        menu.clear()
        menu.setToolTipsVisible(True)
        for entry in submenu.entries(self._window):
            menu.addAction(entry.text, partial(self._window.ask, entry.asks)).setToolTip(tip(entry.tip))
        if menu.isEmpty():
            menu.addAction(tr(submenu.empty)).setEnabled(False)

    def key_of(self, spec: CommandSpec) -> str:
        """The shortcut of a command: the user's own, or the default."""
        if spec.of_focus:
            return spec.key
        # The file may be edited by hand: what is not a text counts as no choice, and "" is the choice of none.
        chosen = self._settings.get("shortcuts").get(spec.id, spec.key)
        return chosen if isinstance(chosen, str) else spec.key

    def allow(self, index_open: bool) -> None:
        """Enable the commands that need an index, or gray them out."""
        for spec in self.commands:
            # The shortcut of a disabled action does nothing, so the row's function need not look for an index.
            if spec.needs_index and spec.id in self.actions:
                self.offer(spec.id, "" if index_open else tr("Open an index first"))

    def offer(self, id: str, why_not: str) -> None:
        """Enable a command, or gray it out; the menu tells the reason when the pointer rests on it.

        why_not: Why it cannot be used now; "" if it can.
        """
        self.actions[id].setEnabled(not why_not)
        self._reasons[id] = why_not
        # "" would be Qt's own: the text of the entry again.
        self.actions[id].setToolTip(tip(why_not or self.actions[id].statusTip()))

    def why_not(self, id: str) -> str:
        """Why a command cannot be used now; "" if it can."""
        return self._reasons.get(id, "")

    def shown_key(self, id: str) -> str:
        """A command's shortcut as the platform writes it."""
        return self.actions[id].shortcut().toString(QKeySequence.SequenceFormat.NativeText)

    def keys(self) -> list[tuple[str, str]]:
        """All keys and what they do: those of commands as they are now, then those that stay as they are."""
        # Commands without a key are left out: the page of shortcuts in the settings lists them all.
        commands = [
            (self.shown_key(spec.id), tr("{name}: {help}", name=plain(tr(spec.text)), help=tr(spec.help)))
            for spec in self.commands
            if spec.id in self.actions and self.shown_key(spec.id)
        ]
        return [*commands, *((tr(keys), tr(what)) for keys, what in FIXED_KEYS)]

    def apply_shortcuts(self) -> None:
        """Give every action its shortcut."""
        for spec in self.commands:
            if (action := self.actions.get(spec.id)) is not None:
                action.setShortcut(QKeySequence.fromString(self.key_of(spec)))

    def _fill_menus(self, parent: QMainWindow) -> None:
        """Fill the menu bar in the order of the rows, with a line between groups."""
        # The rows come sorted by menu and group, see `commands_of`.
        for name in MENUS:
            menu, last = Menu(tr(name), parent.menuBar()), None
            menu.setToolTipsVisible(True)
            menu.aboutToShow.connect(partial(self._opens, name))
            parent.menuBar().addMenu(menu)
            for spec in (spec for spec in self.commands if spec.menu == name):
                if last not in (None, spec.group):
                    menu.addSeparator()
                last = spec.group
                if spec.id in self.submenus:
                    menu.addMenu(self.submenus[spec.id])
                else:
                    menu.addAction(self.actions[spec.id])

    def _opens(self, menu: str) -> None:
        if menu in self.before:
            self.before[menu]()


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
