"""How a query is matched: three switches, and a menu with text, regular expression and tokens."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QIcon
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from explorer.analyses.search.find import Match
from explorer.gui.screens.screen import offer, with_key
from explorer.gui.screens.search.query.presenter import QueryPresenter
from explorer.gui.screens.search.query.state import QueryState
from explorer.gui.style.icons import icon
from explorer.gui.style.surfaces import keep_icon_size
from explorer.gui.style.untrusted import tip
from explorer.i18n import mark, tr
from explorer.text.patterns.equates import EQUATES

MATCH_NAMES: dict[Match, str] = {
    "text": mark("Text"),
    "regex": mark("Regular expression"),
    "tokens": mark("Tokens"),
}
_MATCH_TIPS: dict[Match, str] = {
    "text": mark("Counts every occurrence of these characters, however the tokenizer split them"),
    "regex": mark("Counts the positions where a match of the expression begins"),
    "tokens": mark("Counts the text only where it is split into the same tokens as the text on its own"),
}

_SHORT: dict[Match, str] = {"regex": ".*"}
"""Names of kinds of match where there is little room."""


class Switch(QToolButton):
    """A button in the query field that is on or off. If there is no room, an icon replaces its name."""

    def __init__(self, name: str, picture: str, on: bool) -> None:
        super().__init__()
        self._name, self._picture = name, picture
        self._compact = False
        self.setAccessibleName(name)
        self.setCheckable(True)
        self.setChecked(on)
        self.setProperty("role", "switch")
        keep_icon_size(self, 16)
        self.toggled.connect(lambda _: self._show())
        self._show()

    def set_compact(self, compact: bool) -> None:
        """Show only the icon, or the name."""
        if compact != self._compact:
            self._compact = compact
            self._show()

    def _show(self) -> None:
        style = Qt.ToolButtonStyle
        self.setToolButtonStyle(style.ToolButtonIconOnly if self._compact else style.ToolButtonTextBesideIcon)
        # Its name for assistive technology stays.
        self.setText("" if self._compact else self._name)
        if self._compact:
            self.setIcon(icon(self._picture))
        else:
            # Not by color alone: a check mark shows that it is on.
            self.setIcon(icon("check") if self.isChecked() else QIcon())


class MatchChoice(QWidget):
    """The switches, and the kind of match unless it is text. `menu_button` has the menu and belongs beside them."""

    def __init__(self, presenter: QueryPresenter) -> None:
        super().__init__()
        self._presenter = presenter
        usual = presenter.state.matching
        self.whole_words = Switch(tr("Whole words"), "words", usual.whole_words)
        self.ignore_case = Switch(tr("Ignore case"), "case", usual.ignore_case)
        self.as_typed = Switch(tr("Exactly as typed"), "typed", not usual.equate)
        self._switches = (self.whole_words, self.ignore_case, self.as_typed)
        self._keys = ("",) * len(self._switches)
        self.kind = QToolButton()
        self.kind.setProperty("role", "switch")
        self.kind.setCheckable(True)
        self.kind.setChecked(True)
        self._compact = False
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(6)
        for switch in (self.kind, *self._switches):
            self.row.addWidget(switch)
        self.menu_button = QToolButton()
        self.menu_button.setIcon(icon("more"))
        keep_icon_size(self.menu_button, 16)
        self.menu_button.setProperty("role", "icon")
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu_button.setAccessibleName(tr("Text, regular expression or tokens"))
        self._make_menu()
        # Before the signals are connected: what is shown at first is not a choice.
        self.draw(presenter.state)
        self.whole_words.toggled.connect(lambda on: presenter.choose(whole_words=on))
        self.ignore_case.toggled.connect(lambda on: presenter.choose(ignore_case=on))
        self.as_typed.toggled.connect(self._choose_typed)
        # It stays pressed, as it tells what is chosen.
        self.kind.clicked.connect(lambda: self.kind.setChecked(True))
        self.kind.clicked.connect(self.menu_button.showMenu)
        self.space.toggled.connect(lambda on: presenter.vary(space=on))
        self.case.toggled.connect(lambda on: presenter.vary(cases=on))

    def _make_menu(self) -> None:
        menu = QMenu(self.menu_button)
        menu.setToolTipsVisible(True)
        # One of them at a time, as in all of Qt's groups of actions.
        group = QActionGroup(self)
        self.matches: dict[Match, QAction] = {}
        for match in MATCH_NAMES:
            action = QAction(tr(MATCH_NAMES[match]), self)
            menu.addAction(action)
            action.setToolTip(tr(_MATCH_TIPS[match]))
            action.setCheckable(True)
            group.addAction(action)
            # `triggered` and not `toggled`: only what the user chooses.
            action.triggered.connect(lambda _=False, match=match: self._presenter.choose(match=match))
            self.matches[match] = action
        self._variants = QAction(self)
        self._variants.setSeparator(True)
        menu.addAction(self._variants)
        # Entries of our own: those that a menu makes are lost to Python once the menu's list of entries was asked for.
        self.space = QAction(tr("With a leading space"), self)
        menu.addAction(self.space)
        self.space.setToolTip(
            tr("Also count each phrase with a leading space, which is a different token in most vocabularies")
        )
        self.case = QAction(tr("Lower, UPPER and Title case"), self)
        menu.addAction(self.case)
        self.case.setToolTip(tr("Also count each phrase in lower case, UPPER CASE and Title Case"))
        self.space.setCheckable(True)
        self.case.setCheckable(True)
        self.menu_button.setMenu(menu)

    def _choose_typed(self, on: bool) -> None:
        # A project may equate some only, which is neither: to draw that chooses nothing.
        if on == bool(self._presenter.state.matching.equate):
            self._presenter.choose(equate=() if on else EQUATES)

    def draw(self, state: QueryState) -> None:
        """Check what is chosen, and enable what belongs to it."""
        matching = state.matching
        self.matches[state.match].setChecked(True)
        self.whole_words.setChecked(matching.whole_words)
        self.ignore_case.setChecked(matching.ignore_case)
        self.as_typed.setChecked(not matching.equate)
        self._show_kind(state.match)
        self.space.setChecked(state.with_space)
        self.case.setChecked(state.in_cases)
        for match in ("text", "regex"):
            offer(self.matches[match], state.why_no_text)
        for action in (self._variants, self.space, self.case):
            action.setVisible(not state.has_switches)
        self._explain(state)

    def _show_kind(self, match: Match) -> None:
        """Name the kind of match in the field, unless it is the usual one: it decides what the query means."""
        name = tr(MATCH_NAMES[match])
        self.kind.setText(_SHORT.get(match, name) if self._compact else name)
        self.kind.setAccessibleName(tr("Kind of match: {name}", name=name))
        self.kind.setToolTip(tip(f"{name}\n{tr(_MATCH_TIPS[match])}"))
        self.kind.setVisible(match != "text")

    def show_keys(self, words: str, case: str, typed: str, menu: str) -> None:
        """Show the shortcuts in the tool tips; "" for none."""
        self._keys = (words, case, typed)
        self.menu_button.setToolTip(with_key(tr("Search for text, a regular expression or tokens"), menu))
        self._explain(self._presenter.state)

    def set_compact(self, compact: bool) -> None:
        """Show icons instead of names, or names again."""
        self._compact = compact
        for switch in self._switches:
            switch.set_compact(compact)
        self._show_kind(self._presenter.state.match)

    def _explain(self, state: QueryState) -> None:
        """Tell what the switches do, or why they do nothing."""
        hints = (
            tr("Counts “cap” but not “capacity”. Chinese, Japanese, Thai … are not affected."),
            tr("Counts “Cap” and “CAP” together with “cap”."),
            tr("Off: a space is any white space or line break, ’ is ', “ is \", – is -, and é has one form."),
        )
        for switch, hint, key in zip(self._switches, hints, self._keys, strict=True):
            switch.setEnabled(state.has_switches)
            switch.setToolTip(tip(f"{with_key(switch.accessibleName(), key)}\n{state.why_no_switches or hint}"))
