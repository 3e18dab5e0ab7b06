"""The screens of the window: one row each.

A new screen is a folder with a subclass of `Screen`, and a row here. The rail, the menu, the palette, the guide, the
shortcuts, the session and the routing of requests are made from the row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from explorer.gui.chrome.actions import CommandSpec
from explorer.gui.help.guide import GuidePage, shipped_page
from explorer.gui.presenting.requests import (
    BuildFrom,
    ChangeSetting,
    CheckIndex,
    ChooseIndex,
    ChooseRemote,
    ChooseTokenizer,
    ContinueText,
    DocumentListed,
    DocumentRequest,
    ExportCuts,
    ForgetIndex,
    IndexNotice,
    IndexProblem,
    LocateIndex,
    NoTokenizer,
    OpenBuilt,
    OpenRequest,
    OpenSample,
    PinIndex,
    ProfileToken,
    RenameIndex,
    Request,
    Saved,
    ScoreText,
    SearchText,
    ShowHelp,
    ShowIndexPage,
    ShowScreen,
    ShowSettings,
    ShowStart,
    StopSample,
    Told,
    TraceText,
)

# Rows of commands only: no module of a screen is loaded here, before the window is shown.
from explorer.gui.screens.index import commands as index
from explorer.gui.screens.search import commands as search
from explorer.gui.screens.trace import commands as trace
from explorer.i18n import mark

if TYPE_CHECKING:
    from explorer.gui.screens.screen import Screen


@dataclass(frozen=True)
class ScreenSpec:
    """One screen.

    id: Its identity: in the settings, in sessions and in the code. It never changes and is never shown.
    title: Its name in the rail, not yet translated; so are all texts here.
    widget: The class, as "module:Class". It is loaded when the screen is needed, after the window is shown.
    menu_text, help, key: The command that shows it: its text in the menu, a sentence, and the default shortcut in Qt's
        portable names.
    at_bottom: Whether it is at the lower end of the rail.
    at_start, after_opening: Whether a window begins with it, and whether it comes to the front when an index was opened
        there.
    takes: The types of requests that its `take` does.
    asks: The types of requests that it may emit.
    commands: Its own commands, besides the one that shows it.
    parts: Modules of parts that it makes later itself; they are imported before the screens, in turns of their own.
    """

    id: str
    title: str
    widget: str
    picture: str
    menu_text: str
    help: str
    key: str
    page: GuidePage
    at_bottom: bool = False
    at_start: bool = False
    after_opening: bool = False
    takes: tuple[type[Request], ...] = ()
    asks: tuple[type[Request], ...] = ()
    commands: tuple[CommandSpec, ...] = ()
    parts: tuple[str, ...] = ()

    @property
    def module(self) -> str:
        """The module of the class."""
        return self.widget.partition(":")[0]

    def load(self) -> type[Screen]:
        """Load the class on the interface thread: half a second, unless its modules were imported; see `ScreenSet`."""
        found: type[Screen] = getattr(import_module(self.module), self.widget.partition(":")[2])
        return found


SCREENS = (
    ScreenSpec(
        id="search",
        title=mark("Search"),
        widget="explorer.gui.screens.search.screen:SearchScreen",
        picture="search",
        menu_text=mark("&Search"),
        help=mark("Count a query and list its contexts: a concordance"),
        key="Ctrl+1",
        page=shipped_page("search", mark("Search")),
        after_opening=True,
        takes=(SearchText,),
        asks=(DocumentRequest, DocumentListed, Saved, ShowHelp, TraceText),
        commands=search.COMMANDS,
    ),
    ScreenSpec(
        id="next_token",
        title=mark("Next token"),
        widget="explorer.gui.screens.next_token.screen:NextTokenScreen",
        picture="next",
        menu_text=mark("&Next token"),
        help=mark("Which tokens follow a prompt"),
        key="Ctrl+2",
        page=shipped_page("next-token", mark("Next token")),
        takes=(ContinueText,),
        asks=(SearchText,),
    ),
    ScreenSpec(
        id="trace",
        title=mark("Trace"),
        widget="explorer.gui.screens.trace.screen:TraceScreen",
        picture="trace",
        menu_text=mark("&Trace"),
        help=mark("Which parts of a text occur in the corpus"),
        key="Ctrl+3",
        page=shipped_page("trace", mark("Trace")),
        takes=(TraceText, ProfileToken),
        asks=(DocumentRequest, Saved, SearchText),
        commands=trace.COMMANDS,
    ),
    ScreenSpec(
        id="agreement",
        title=mark("Agreement"),
        widget="explorer.gui.screens.agreement.screen:AgreementScreen",
        picture="agreement",
        menu_text=mark("&Agreement"),
        help=mark("How predictable texts are from the corpus"),
        key="Ctrl+4",
        page=shipped_page("agreement", mark("Agreement")),
        asks=(SearchText, ProfileToken, ScoreText),
    ),
    ScreenSpec(
        id="model",
        title=mark("Model"),
        widget="explorer.gui.screens.model.screen:ModelScreen",
        picture="model",
        menu_text=mark("&Model"),
        help=mark("The corpus as a language model"),
        key="Ctrl+5",
        page=shipped_page("model", mark("Model")),
        takes=(ScoreText,),
        asks=(DocumentRequest, Saved, SearchText, Told),
    ),
    ScreenSpec(
        id="statistics",
        title=mark("Statistics"),
        widget="explorer.gui.screens.statistics.screen:StatisticsScreen",
        picture="statistics",
        menu_text=mark("Statisti&cs"),
        help=mark("Words, n-grams and keywords of the index"),
        key="Ctrl+6",
        page=shipped_page("statistics", mark("Statistics")),
        asks=(DocumentRequest, Saved),
    ),
    ScreenSpec(
        id="curation",
        title=mark("Curation"),
        widget="explorer.gui.screens.curation.screen:CurationScreen",
        picture="curation",
        menu_text=mark("C&uration"),
        help=mark("What repeats, and what to cut"),
        key="Ctrl+7",
        page=shipped_page("curation", mark("Curation")),
        takes=(ExportCuts,),
        asks=(DocumentRequest, ExportCuts, Saved),
    ),
    ScreenSpec(
        id="index",
        title=mark("Index"),
        widget="explorer.gui.screens.index.screen:IndexScreen",
        picture="index",
        menu_text=mark("&Index"),
        help=mark("Open, build or check an index"),
        key="Ctrl+8",
        page=shipped_page("index", mark("Index: open, build, check")),
        at_bottom=True,
        at_start=True,
        takes=(ShowIndexPage, BuildFrom, IndexProblem, IndexNotice, NoTokenizer),
        asks=(
            CheckIndex,
            ChooseIndex,
            ChooseRemote,
            ChooseTokenizer,
            ForgetIndex,
            LocateIndex,
            OpenBuilt,
            OpenRequest,
            OpenSample,
            PinIndex,
            RenameIndex,
            Saved,
            ShowScreen,
            ShowStart,
            StopSample,
            # Of the sample, once it is open.
            ContinueText,
            SearchText,
            TraceText,
            Told,
        ),
        commands=index.COMMANDS,
        parts=("explorer.gui.screens.index.later_pages",),
    ),
    ScreenSpec(
        id="settings",
        title=mark("Settings"),
        widget="explorer.gui.screens.settings.screen:SettingsScreen",
        picture="settings",
        menu_text=mark("Se&ttings"),
        help=mark("Theme, text size, defaults, shortcuts"),
        key="Ctrl+,",
        page=shipped_page("settings", mark("Settings")),
        at_bottom=True,
        takes=(ShowSettings,),
        asks=(ChangeSetting,),
    ),
)
"""In the order of the rail and of the menu."""


def check_screens(screens: Sequence[ScreenSpec]) -> None:
    """Check at start that every screen has an id, a shortcut and a page of its own, and that a window can begin.

    Raises `ValueError` if two rows have the same, or if not exactly one begins, or not exactly one comes after opening.
    """
    # Shortcuts are compared with those of all other commands later, see `check_commands`.
    for what in ("id", "key"):
        _check_unique(what, [getattr(spec, what) for spec in screens if getattr(spec, what)])
    _check_unique("page", [spec.page.name for spec in screens])
    for what in ("at_start", "after_opening"):
        if (count := sum(getattr(spec, what) for spec in screens)) != 1:
            raise ValueError(f"{count} screens have {what}")


def _check_unique(what: str, values: Sequence[str]) -> None:
    if twice := sorted({value for value in values if values.count(value) > 1}):
        raise ValueError(f"two screens have the {what} {', '.join(twice)}")
