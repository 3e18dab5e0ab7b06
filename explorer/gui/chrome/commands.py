"""The commands of the window: one row each. Those of a screen are in its own folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QApplication, QMenu

from explorer.gui.chrome.actions import (
    EDIT,
    FILE,
    GO,
    HELP,
    MENUS,
    PICTURES,
    VIEW,
    Act,
    ActionBook,
    CommandSpec,
    Entry,
    Submenu,
    WindowCommands,
    plain,
)
from explorer.gui.chrome.page_keys import export_result, open_files, turn_page
from explorer.gui.help.guide import ABOUT, TOKENS
from explorer.gui.palette.rows import Command, Section
from explorer.gui.presenting.cells import short
from explorer.gui.presenting.requests import (
    ChangeSetting,
    ChangeTextSize,
    ChooseIndex,
    ChooseRemote,
    ChooseTokenizer,
    CloseWindow,
    CopyRecipe,
    Edit,
    EditFocus,
    FindInDocument,
    NewProject,
    NewWindow,
    OpenAgain,
    OpenProject,
    OpenRequest,
    OpenSample,
    Request,
    SaveProject,
    SaveProjectAs,
    ShowHelp,
    ShowLicenses,
    ShowLog,
    ShowMessage,
    ShowPalette,
    ShowScreen,
    ShowSettings,
    ShowStart,
    ShowUpdates,
    TogglePanel,
)
from explorer.gui.remote.hosts import with_host
from explorer.gui.screens.registry import SCREENS, ScreenSpec
from explorer.gui.settings.schema import SETTINGS
from explorer.gui.style.untrusted import caption, tip
from explorer.i18n import mark, tr


def _recent(window: WindowCommands) -> list[Entry]:
    found = []
    for recent in window.recent_indexes():
        # After a tab, a menu shows what it shows of shortcuts: at its end, in a column.
        size = "" if recent.tokens is None else "\t" + tr("{tokens} tokens", tokens=short(recent.tokens))
        name, ask = tr("Open {name}", name=recent.shown), OpenRequest((recent.path,))
        shown = caption(with_host(recent.shown, [recent.path]))
        found.append(Entry(shown + size, name, recent.path, ask, tip(recent.path)))
    return found


def _recent_projects(window: WindowCommands) -> list[Entry]:
    return [
        Entry(caption(path), tr("Open the project {name}", name=Path(path).stem), path, OpenProject(path))
        for path in window.settings.recent_projects()
    ]


def _turn(by: int) -> Act:
    return lambda window: turn_page(window.current_screen(), by)


_OTHERS: tuple[tuple[str, Request], ...] = (
    (mark("Open index …"), ChooseIndex()),
    (mark("Open a remote index …"), ChooseRemote()),
    (mark("Connect again"), OpenAgain()),
    (mark("All indexes …"), ShowStart()),
)
"""The ways to other indexes, below the recent ones."""


def fill_recent(menu: QMenu, window: WindowCommands, is_elsewhere: bool = False) -> None:
    """List the recent indexes in a menu, and the ways to other ones.

    menu: The menu, whose entries are replaced.
    window: Knows the recent indexes, and is asked to open one.
    is_elsewhere: Whether the open index is asked by an address, so that it can be connected again.
    """
    # Filled each time it opens: another window may have opened an index, or removed one from the list.
    menu.clear()
    # Two indexes may have the same name: the tool tip has the folder.
    menu.setToolTipsVisible(True)
    for entry in _recent(window):
        menu.addAction(entry.text, partial(window.ask, entry.asks)).setToolTip(tip(entry.tip))
    menu.addSeparator()
    for text, request in _OTHERS:
        # Folders are watched, and need not be asked.
        if isinstance(request, OpenAgain) and not is_elsewhere:
            continue
        menu.addAction(tr(text), partial(window.ask, request))


# Rows only: importing this module at the start must not load a screen. What a row does is a request, which the router
# delivers to the part or screen that takes it, or a function of the few things that commands know of a window.
# Letters after & are those of the menus, and must not occur twice in a menu: Alt and the letter would only move between
# the two. Shortcuts are in Qt's portable names, in which Ctrl is Command on macOS.
COMMANDS = (
    CommandSpec(
        "open", FILE, "&Open index …", "Open an infini-gram index folder", ChooseIndex(), "Ctrl+O", picture="folder"
    ),
    CommandSpec(
        "open_remote",
        FILE,
        "Open a re&mote index …",
        "Open an index on another machine by its address",
        ChooseRemote(),
        "Ctrl+Alt+O",
        picture="cloud",
    ),
    CommandSpec(
        "tokenizer",
        FILE,
        "Choose the &tokenizer …",
        "Open the same index with another tokenizer.json",
        ChooseTokenizer(),
        picture="words",
        needs_index=True,
    ),
    CommandSpec(
        "sample",
        FILE,
        "Open the &sample index",
        "The Python standard library, built on first use",
        OpenSample(),
        picture="play",
    ),
    CommandSpec("recent", FILE, "Open &recent", "Recently opened indexes", Submenu(_recent, "None yet")),
    CommandSpec("new_project", FILE, "&New project", "Begin a new project", NewProject(), group=2),
    CommandSpec(
        "open_project",
        FILE,
        "Open &project …",
        "Open a project file with its indexes, sets and notes",
        OpenProject(),
        "Ctrl+Shift+O",
        group=2,
        picture="folder",
    ),
    CommandSpec(
        "recent_projects",
        FILE,
        "Recent pro&jects",
        "Recently opened projects",
        Submenu(_recent_projects, "None yet"),
        group=2,
    ),
    CommandSpec(
        "save_project",
        FILE,
        "&Save project",
        "Save sets, marks, notes and views",
        SaveProject(),
        "Ctrl+S",
        group=2,
        picture="download",
    ),
    CommandSpec(
        "save_project_as",
        FILE,
        "Save project &as …",
        "Save the project to another file",
        SaveProjectAs(),
        "Ctrl+Shift+S",
        group=2,
    ),
    CommandSpec(
        "new_window", FILE, "New &window", "Open a second window for another index", NewWindow(), "Ctrl+N", group=3
    ),
    CommandSpec("close_window", FILE, "&Close window", "Close this window", CloseWindow(), "Ctrl+W", group=4),
    CommandSpec("quit", FILE, "&Quit", "Close all windows", lambda _: QApplication.closeAllWindows(), "Ctrl+Q", 4),
    CommandSpec(
        "undo",
        EDIT,
        "&Undo",
        "Undo the last change of a text, of the lines or of what is listed",
        EditFocus(Edit.UNDO),
        "Ctrl+Z",
        of_focus=True,
    ),
    CommandSpec(
        "redo",
        EDIT,
        "&Redo",
        "Make the change again that was undone",
        EditFocus(Edit.REDO),
        "Ctrl+Shift+Z",
        of_focus=True,
    ),
    CommandSpec(
        "cut", EDIT, "Cu&t", "Move the selected text to the clipboard", EditFocus(Edit.CUT), "Ctrl+X", of_focus=True
    ),
    CommandSpec("copy", EDIT, "&Copy", "Copy the selected text or rows", EditFocus(Edit.COPY), "Ctrl+C", of_focus=True),
    CommandSpec(
        "paste", EDIT, "&Paste", "Insert the text on the clipboard", EditFocus(Edit.PASTE), "Ctrl+V", of_focus=True
    ),
    CommandSpec(
        "select_all",
        EDIT,
        "Select &all",
        "Select the whole text or all rows",
        EditFocus(Edit.SELECT_ALL),
        "Ctrl+A",
        of_focus=True,
    ),
    CommandSpec(
        "find",
        EDIT,
        "&Find in the document",
        "Find text in the document on the right",
        FindInDocument(),
        "Ctrl+F",
        group=1,
        picture="search",
    ),
    CommandSpec(
        "copy_python",
        EDIT,
        "Copy result as P&ython",
        "Copy a program that computes the result of this screen again",
        CopyRecipe(),
        "Ctrl+Shift+Y",
        group=2,
        picture="copy",
        needs_index=True,
    ),
    CommandSpec(
        "copy_command",
        EDIT,
        "Copy result as co&mmand",
        "Copy a command that computes the result of this screen again",
        CopyRecipe(as_python=False),
        group=2,
        picture="copy",
        needs_index=True,
    ),
    CommandSpec(
        "input",
        VIEW,
        "Go to the in&put",
        "Move the cursor to the main input of this screen",
        lambda window: window.current_screen().focus_input(),
        "Ctrl+L",
        group=1,
    ),
    CommandSpec(
        "message", VIEW, "Go to the messa&ge", "Move to the newest message at the lower edge", ShowMessage(), "F6", 1
    ),
    CommandSpec(
        "panel",
        VIEW,
        "&Document panel",
        "Show or hide the document on the right",
        TogglePanel(),
        "Ctrl+D",
        1,
        picture="side-sheet",
    ),
    CommandSpec(
        "larger",
        VIEW,
        "&Larger text",
        "Increase the text size by one point",
        ChangeTextSize(1),
        "Ctrl++",
        2,
        picture="zoom-in",
    ),
    CommandSpec(
        "smaller",
        VIEW,
        "S&maller text",
        "Decrease the text size by one point",
        ChangeTextSize(-1),
        "Ctrl+-",
        2,
        picture="zoom-out",
    ),
    CommandSpec(
        "usual", VIEW, "Defa&ult text size", "Use the system's text size", ChangeSetting("text_size", 0), "Ctrl+0", 2
    ),
    CommandSpec(
        "system",
        VIEW,
        "S&ystem theme",
        "Use the system's light or dark theme",
        ChangeSetting("scheme", "system"),
        group=3,
    ),
    CommandSpec("light", VIEW, "L&ight theme", "Always use the light theme", ChangeSetting("scheme", "light"), group=3),
    CommandSpec("dark", VIEW, "Dar&k theme", "Always use the dark theme", ChangeSetting("scheme", "dark"), group=3),
    CommandSpec("next_tab", GO, "Ne&xt tab", "Go to the next tab of this page", _turn(1), "Ctrl+Tab", 6),
    CommandSpec(
        "previous_tab", GO, "Pre&vious tab", "Go to the previous tab of this page", _turn(-1), "Ctrl+Shift+Tab", 6
    ),
    CommandSpec(
        "files",
        FILE,
        "Open &files …",
        "Open texts or answers to trace or to analyze on this screen",
        lambda window: open_files(window.current_screen()),
        "Alt+O",
        group=2,
        needs_index=True,
        picture="folder",
    ),
    CommandSpec(
        "export",
        FILE,
        "&Export …",
        "Save the result of this screen: lines, a table, a figure or a report",
        lambda window: export_result(window.current_screen()),
        "Ctrl+E",
        group=2,
        needs_index=True,
        picture="export",
    ),
    CommandSpec("palette", HELP, "&All commands …", "Find any command by name", ShowPalette(), "Ctrl+Shift+P"),
    CommandSpec(
        "switch", GO, "&Switch index …", "Open one of the recent indexes", ShowPalette("@"), "Ctrl+P", 4, "index"
    ),
    CommandSpec("help", HELP, "&Help", "Explain what has the focus, or this screen", ShowHelp(), "F1", picture="help"),
    CommandSpec(
        "what", HELP, "&What is this?", "Explain what is under the pointer", ShowHelp(pointed=True), "Shift+F1"
    ),
    CommandSpec(
        "tokens", HELP, "&Text and tokens", "What tokens are, with a picture", ShowHelp(TOKENS.name), picture="help"
    ),
    CommandSpec("keys", HELP, "All ke&ys", "A table of all keys", ShowHelp("keyboard"), picture="help"),
    CommandSpec("shortcuts", HELP, "&Keyboard shortcuts", "List and change shortcuts", ShowSettings("Shortcuts")),
    CommandSpec(
        "log", HELP, "Show the &log …", "Unexpected errors of this program, stored on this computer", ShowLog(), group=1
    ),
    CommandSpec(
        "updates",
        HELP,
        "&New versions …",
        "Ask whether there is a newer version of this program",
        ShowUpdates(),
        group=1,
    ),
    CommandSpec(
        "licenses",
        HELP,
        "&Licenses …",
        "What the program is made of, with the texts",
        ShowLicenses(),
        group=1,
    ),
    CommandSpec(
        "about", HELP, "A&bout", "Version, license and libraries", ShowHelp(ABOUT.name), group=1, picture="info"
    ),
)
"""In the order of their menus."""


def commands_of(screens: Sequence[ScreenSpec], commands: Sequence[CommandSpec] = COMMANDS) -> tuple[CommandSpec, ...]:
    """All commands of a window: one that shows each screen, those of the screens, and those of the window.

    Returns: All of them in the order of the menus, of the groups in a menu, and of the rows in a group.
    """
    shown = [
        CommandSpec(spec.id, VIEW, spec.menu_text, spec.help, ShowScreen(spec.id), spec.key, picture=spec.picture)
        for spec in screens
    ]
    # The sort is stable: in a group, screens come first, then their own commands, then those of the window.
    rows = (*shown, *_own(screens), *commands)
    return tuple(sorted(rows, key=lambda row: (MENUS.index(row.menu), row.group)))


def _own(screens: Sequence[ScreenSpec]) -> list[CommandSpec]:
    """The commands of the screens, each with the icon of its screen if it has none of its own."""
    return [replace(command, picture=command.picture or spec.picture) for spec in screens for command in spec.commands]


def palette_commands(window: WindowCommands, book: ActionBook) -> list[Command]:
    """Every command except the palette itself, the recent indexes, and the settings.

    book: The commands, with their shortcuts and why some cannot be used.
    """
    # The action is triggered, not the row run: what is disabled in the menu does nothing here either.
    commands = [
        Command(
            plain(tr(spec.text)),
            tr(spec.help),
            book.actions[spec.id].trigger,
            book.shown_key(spec.id),
            picture=spec.picture or PICTURES[spec.menu],
            id=spec.id,
            why_not=book.why_not(spec.id),
        )
        for spec in book.commands
        if spec.id in book.actions and not spec.of_focus and not isinstance(spec.does, ShowPalette)
    ]
    # Read when the palette opens, which is the moment at which the list is looked at.
    indexes = [
        Command(entry.name, entry.hint, partial(window.ask, entry.asks), section=Section.INDEXES, picture="index")
        for entry in _recent(window)
    ]
    # Not remembered as used: what is chosen there differs each time, and the page is one step away.
    settings = [
        Command(
            tr(setting.title),
            tr("{page}: {help}", page=tr(setting.section), help=tr(setting.help)),
            partial(window.ask, ShowSettings(key=setting.key)),
            section=Section.SETTINGS,
            picture="settings",
        )
        for setting in SETTINGS
        if setting.section
    ]
    # From the registry and not from the window: pages of screens that a window lacks explain the program all the same.
    pages = [
        Command(
            tr(spec.page.title),
            tr("Help"),
            partial(window.ask, ShowHelp(spec.page.name)),
            section=Section.HELP,
            picture="help",
        )
        for spec in SCREENS
    ]
    return commands + indexes + settings + pages
