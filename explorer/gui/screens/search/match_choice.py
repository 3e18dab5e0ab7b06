"""How a query is matched: two switches, and a menu with text, regular expression and tokens."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QIcon
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from explorer.gui.icons import icon
from explorer.gui.matching import CASES, Matching
from explorer.gui.screen import offer, with_key
from explorer.gui.surfaces import keep_icon_size
from explorer.gui.untrusted import tip
from explorer.i18n import mark, tr
from explorer.search.find import Match

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
        self.setText("" if self._compact else self._name)
        if self._compact:
            self.setIcon(icon(self._picture))
        else:
            self.setIcon(icon("check") if self.isChecked() else QIcon())


class MatchChoice(QWidget):
    """The two switches. `menu_button` has the menu and belongs beside them. `changed()`: any of it was."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        usual = Matching()
        self.whole_words = Switch(tr("Whole words"), "words", usual.whole_words)
        self.ignore_case = Switch(tr("Ignore case"), "case", usual.ignore_case)
        self._keys = ("", "")
        self._why_not = ""
        self._wanted: Match = usual.match
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(6)
        for switch in (self.whole_words, self.ignore_case):
            self.row.addWidget(switch)
            switch.toggled.connect(lambda _: self.changed.emit())
        self.menu_button = QToolButton()
        self.menu_button.setIcon(icon("more"))
        keep_icon_size(self.menu_button, 16)
        self.menu_button.setProperty("role", "icon")
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu_button.setAccessibleName(tr("Text, regular expression or tokens"))
        self._make_menu(usual)
        self._follow()

    def _make_menu(self, usual: Matching) -> None:
        menu = QMenu(self.menu_button)
        menu.setToolTipsVisible(True)
        group = QActionGroup(self)
        self.matches: dict[Match, QAction] = {}
        for match in ("text", "regex", "tokens"):
            action = menu.addAction(tr(MATCH_NAMES[match]))
            action.setToolTip(tr(_MATCH_TIPS[match]))
            action.setCheckable(True)
            action.setChecked(match == usual.match)
            group.addAction(action)
            self.matches[match] = action
        self._variants = menu.addSeparator()
        self.space = menu.addAction(tr("With a leading space"))
        self.space.setToolTip(
            tr("Also count each phrase with a leading space, which is a different token in most vocabularies")
        )
        self.case = menu.addAction(tr("Lower, UPPER and Title case"))
        self.case.setToolTip(tr("Also count each phrase in lower case, UPPER CASE and Title Case"))
        self.space.setCheckable(True)
        self.space.setChecked(True)
        self.case.setCheckable(True)
        group.triggered.connect(lambda _: self._choose())
        for action in (self.space, self.case):
            action.toggled.connect(lambda _: self.changed.emit())
        self.menu_button.setMenu(menu)

    def _choose(self) -> None:
        self._follow()
        self.changed.emit()

    @property
    def match(self) -> Match:
        """The choice in the menu."""
        return next(match for match, action in self.matches.items() if action.isChecked())

    def matching(self) -> Matching:
        """The choice, including switches that are not available."""
        variants = (("space",) if self.space.isChecked() else ()) + (CASES if self.case.isChecked() else ())
        return Matching(self.match, self.ignore_case.isChecked(), self.whole_words.isChecked(), variants)

    def set_matching(self, wanted: Matching) -> None:
        """Choose without a signal; the screen then runs the query."""
        with QSignalBlocker(self):
            self.whole_words.setChecked(wanted.whole_words)
            self.ignore_case.setChecked(wanted.ignore_case)
            self.space.setChecked("space" in wanted.variants)
            self.case.setChecked("lower" in wanted.variants)
            self._wanted = wanted.match
            self._check_wanted()
        self._follow()

    def offer_text(self, why_not: str) -> None:
        """Leave only tokens to choose from, for a reason; "" offers everything, and restores what was chosen."""
        if why_not and not self._why_not:
            self._wanted = self.match
        elif not self._why_not:
            return
        self._why_not = why_not
        for match in ("text", "regex"):
            offer(self.matches[match], why_not)
        self._check_wanted()
        self._follow()

    def _check_wanted(self) -> None:
        self.matches["tokens" if self._why_not else self._wanted].setChecked(True)

    def show_keys(self, words: str, case: str, menu: str) -> None:
        """Show the shortcuts in the tool tips; "" for none.

        Parameters
        ----------
        words
            The shortcut of whole words.
        case
            The shortcut of upper and lower case.
        menu
            The shortcut of the menu.
        """
        self._keys = (words, case)
        self.menu_button.setToolTip(with_key(tr("Search for text, a regular expression or tokens"), menu))
        self._follow()

    def set_compact(self, compact: bool) -> None:
        """Show icons instead of names, or names again."""
        for switch in (self.whole_words, self.ignore_case):
            switch.set_compact(compact)

    def _follow(self) -> None:
        """Enable the switches and variants that belong to the choice in the menu."""
        tokens = self.match == "tokens"
        for action in (self._variants, self.space, self.case):
            action.setVisible(tokens)
        sentences = (
            tr("Counts “cap” but not “capacity”. Chinese, Japanese, Thai … are not affected."),
            tr("Counts “Cap” and “CAP” together with “cap”."),
        )
        for switch, name, hint, key in zip(
            (self.whole_words, self.ignore_case),
            (tr("Whole words"), tr("Ignore case")),
            sentences,
            self._keys,
            strict=True,
        ):
            switch.setEnabled(not tokens)
            reason = self._why_not or tr("Not available for tokens. Choose “Text” in the “…” menu next to it.")
            switch.setToolTip(tip(f"{with_key(name, key)}\n{reason if tokens else hint}"))
