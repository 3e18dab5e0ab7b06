"""Earlier queries: when one is kept, and the menu that brings it back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from explorer.gui.direction import isolated
from explorer.gui.history import PastQuery
from explorer.gui.icons import icon
from explorer.gui.locale import local_time
from explorer.gui.surfaces import keep_icon_size
from explorer.gui.text_positions import short_text
from explorer.gui.untrusted import caption, tip
from explorer.words import numeral, tr

REST_MS = 2_000
"""A query that has stood so long with its answer is kept."""


class HistoryKeeper(QObject):
    """Decides which queries are kept: after two seconds of rest, when a line is opened, or on Enter.

    `keep(PastQuery, str)`: keep this query, in place of the other one if that is not "": what was typed on the way to
    it. make: the query as it is now, None while there is no answer.
    """

    keep = Signal(object, str)

    def __init__(self, make: Callable[[], PastQuery | None], parent: QObject) -> None:
        super().__init__(parent)
        self._make = make
        self._on_the_way = ""
        self._wanted = False
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(lambda: self._keep(on_the_way=True))

    def typing(self) -> None:
        """The query was changed: what rested shorter is not kept."""
        self._rest.stop()
        self._wanted = False

    def answered(self) -> None:
        """The query has its answer."""
        if self._wanted:
            self.keep_now()
        else:
            self._rest.start()

    def keep_now(self) -> None:
        """The person is done typing: keep the query, or as soon as its answer is there."""
        self._rest.stop()
        self._wanted = self._make() is None
        if not self._wanted:
            self._keep(on_the_way=False)

    def _keep(self, on_the_way: bool) -> None:
        past = self._make()
        if past is None or not past.text:
            return
        grew = self._on_the_way and past.text.startswith(self._on_the_way)
        self.keep.emit(past, self._on_the_way if grew else "")
        self._on_the_way = past.text if on_the_way else ""


class HistoryButton(QToolButton):
    """The menu of earlier queries. `chosen(PastQuery)`; `pin_toggled(str)`; `cleared()`. text: the query of now."""

    chosen = Signal(object)
    pin_toggled = Signal(str)
    cleared = Signal()

    def __init__(self, text: Callable[[], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._queries: Sequence[tuple[PastQuery, bool]] = ()
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setIcon(icon("history"))
        keep_icon_size(self, 16)
        self.setProperty("role", "icon")
        self.setAccessibleName(tr("Earlier and pinned queries"))
        self.setMenu(QMenu(self))
        self.menu().setToolTipsVisible(True)
        self.menu().aboutToShow.connect(self.fill)

    def show_queries(self, queries: Sequence[tuple[PastQuery, bool]]) -> None:
        """Earlier queries, newest first, each with whether it is pinned."""
        self._queries = queries

    def fill(self) -> None:
        """Make the menu's entries."""
        menu = self.menu()
        menu.clear()
        if text := self._text().strip():
            pinned = any(past.text == text and is_pinned for past, is_pinned in self._queries)
            pin = menu.addAction(tr("Unpin this query") if pinned else tr("Pin this query"))
            pin.triggered.connect(lambda: self.pin_toggled.emit(text))
        for pinned_ones, title in ((True, tr("Pinned")), (False, tr("Earlier"))):
            listed = [past for past, is_pinned in self._queries if is_pinned == pinned_ones]
            if listed:
                # A section is a separator of its own.
                menu.addSection(title)
            for past in listed:
                menu.addAction(self._action(past))
        if any(not pinned for _, pinned in self._queries):
            menu.addSeparator()
            menu.addAction(tr("Clear earlier queries")).triggered.connect(self.cleared)
        elif not self._queries:
            menu.addAction(tr("No earlier queries")).setEnabled(False)

    def _action(self, past: PastQuery) -> QAction:
        shown = caption(isolated(short_text(past.text)))
        action = QAction("\t".join(part for part in (shown, _found(past)) if part), self.menu())
        action.setToolTip(tip("\n".join((short_text(past.text, 400), *options_of(past)))))
        action.triggered.connect(lambda: self.chosen.emit(past))
        return action


def _found(past: PastQuery) -> str:
    """How much was found and when, for the right side of a menu's entry."""
    about = "" if past.exact else "≈ "
    count = "" if past.count is None else about + numeral(past.count)
    return " · ".join(part for part in (count, local_time(past.time) if past.time else "") if part)


def options_of(past: PastQuery) -> list[str]:
    """How a query was asked, a line for each thing that is not as usual."""
    lines = []
    if past.variants is not None and "lower" in past.variants:
        lines.append(tr("any case"))
    if past.variants is not None and "space" not in past.variants:
        lines.append(tr("without a leading space"))
    if past.distance is not None and past.distance != 100:
        lines.append(tr("within {distance:,} tokens", distance=past.distance))
    return lines + [tr("only where {condition}", condition=isolated(str(condition))) for condition in past.filters]
