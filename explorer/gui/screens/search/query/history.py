"""The menu of earlier queries."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from explorer.gui.app.locale import local_time
from explorer.gui.screens.search.presenter import SearchPresenter
from explorer.gui.settings.history import PastQuery
from explorer.gui.settings.matching import Matching
from explorer.gui.style.direction import isolated
from explorer.gui.style.icons import icon
from explorer.gui.style.surfaces import keep_icon_size
from explorer.gui.style.text_positions import short_text
from explorer.gui.style.untrusted import caption, tip
from explorer.i18n import counted, numeral, tr


class HistoryButton(QToolButton):
    """The menu of earlier queries. `pin_toggled(str)`; `cleared()`."""

    pin_toggled = Signal(str)
    cleared = Signal()

    def __init__(self, presenter: SearchPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setIcon(icon("history"))
        keep_icon_size(self, 16)
        self.setProperty("role", "icon")
        self.setAccessibleName(tr("Recent and pinned queries"))
        self.setMenu(QMenu(self))
        self.menu().setToolTipsVisible(True)
        self.menu().aboutToShow.connect(self.fill)

    def fill(self) -> None:
        """Make the menu's entries."""
        # Filled at each opening: counts, times and pins change without the button.
        menu, state = self.menu(), self._presenter.state
        menu.clear()
        if text := state.query.text.strip():
            pin = menu.addAction(tr("Unpin this query") if state.history.is_pinned(text) else tr("Pin this query"))
            pin.triggered.connect(lambda: self.pin_toggled.emit(text))
        for pinned, title in ((True, tr("Pinned")), (False, tr("Recent"))):
            listed = state.history.listed(pinned)
            if listed:
                # A section already is a separator.
                menu.addSection(title)
            for past in listed:
                menu.addAction(self._action(past))
        if state.sets.kept:
            menu.addSection(tr("Saved sets"))
        for kept, fits in state.sets.kept:
            shown = caption(isolated(short_text(kept.name)))
            action = menu.addAction(f"{shown}\t{counted('line', len(kept.lines.listed))}")
            # Listed all the same, so that nobody takes the set for lost.
            action.setEnabled(fits)
            action.triggered.connect(lambda _=False, name=kept.name: self._presenter.sets.open(name))
        if state.history.listed(pinned=False):
            menu.addSeparator()
            menu.addAction(tr("Clear recent queries")).triggered.connect(self.cleared)
        elif not state.history.queries:
            menu.addAction(tr("No recent queries")).setEnabled(False)

    def _action(self, past: PastQuery) -> QAction:
        shown = caption(isolated(short_text(past.text)))
        action = QAction("\t".join(part for part in (shown, _found(past)) if part), self.menu())
        action.setToolTip(tip("\n".join((short_text(past.text, 400), *options_of(past)))))
        action.triggered.connect(lambda: self._presenter.ask_again(past))
        return action


def _found(past: PastQuery) -> str:
    """The count and the time, for the right side of a menu entry."""
    about = "" if past.exact else "≈ "
    count = "" if past.count is None else about + numeral(past.count)
    return " · ".join(part for part in (count, local_time(past.time) if past.time else "") if part)


def options_of(past: PastQuery) -> list[str]:
    """The options of a query, one line per option."""
    lines = []
    if past.matching is not None:
        lines += _how(past.matching)
    # The usual distance of a query, which the tip need not name.
    if past.distance is not None and past.distance != 100:
        lines.append(tr("within {distance}", distance=counted("token", past.distance)))
    return lines + [tr("only where {condition}", condition=isolated(str(condition))) for condition in past.filters]


def _how(matching: Matching) -> list[str]:
    if matching.match != "tokens":
        kind = [tr("regular expression")] if matching.match == "regex" else []
        words = tr("whole words") if matching.whole_words else tr("parts of words too")
        case = [tr("ignoring case")] if matching.ignore_case else []
        return [*kind, words, *case, *([] if matching.equate else [tr("exactly as typed")])]
    case = [tr("in lower, UPPER and Title case")] if "lower" in matching.variants else []
    return [tr("tokens"), *case, *([] if "space" in matching.variants else [tr("without a leading space")])]
