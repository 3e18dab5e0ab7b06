"""Earlier queries: when one is saved, and the menu that restores it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from explorer.gui.direction import isolated
from explorer.gui.history import PastQuery, now
from explorer.gui.icons import icon
from explorer.gui.locale import local_time
from explorer.gui.matching import Matching
from explorer.gui.screens.search.work import LinesAnswer
from explorer.gui.surfaces import keep_icon_size
from explorer.gui.text_positions import short_text
from explorer.gui.untrusted import caption, tip
from explorer.i18n import counted, numeral, tr

REST_MS = 2_000
"""A query is saved after its answer has been shown this long."""


def past_of(answer: LinesAnswer, text: str, matching: Matching) -> PastQuery | None:
    """Give the query of an answer with its result, for the history.

    Parameters
    ----------
    answer
        The lines.
    text
        What the field contains now.
    matching
        How the query was matched.

    Returns
    -------
    PastQuery | None
        The query; None if another text has been typed.
    """
    request, found = answer.request, answer.request.found
    if found.query != text:
        return None
    count = found.count if not found.exact else len(answer.lines)
    distance, filters = request.options.max_distance, request.view.filters
    return PastQuery(text.strip(), count, found.exact, now(), matching, distance, filters)


class HistoryKeeper(QObject):
    """Decides which queries are saved: after a pause of two seconds, when a line is opened, or on Enter.

    `keep(PastQuery, str)`: save this query; it replaces the other one, an intermediate text of the same query, unless
    that is "". make: the current query, None while there is no answer.
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
        """The query was changed: one with a shorter pause is not saved."""
        self._rest.stop()
        self._wanted = False

    def answered(self) -> None:
        """The query has its answer."""
        if self._wanted:
            self.keep_now()
        else:
            self._rest.start()

    def keep_now(self) -> None:
        """The user finished typing: save the query, now or as soon as its answer is known."""
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
    """The menu of earlier queries. `chosen(PastQuery)`; `pin_toggled(str)`; `cleared()`. text: the current query."""

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
        self.setAccessibleName(tr("Recent and pinned queries"))
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
        for pinned_ones, title in ((True, tr("Pinned")), (False, tr("Recent"))):
            listed = [past for past, is_pinned in self._queries if is_pinned == pinned_ones]
            if listed:
                # A section already is a separator.
                menu.addSection(title)
            for past in listed:
                menu.addAction(self._action(past))
        if any(not pinned for _, pinned in self._queries):
            menu.addSeparator()
            menu.addAction(tr("Clear recent queries")).triggered.connect(self.cleared)
        elif not self._queries:
            menu.addAction(tr("No recent queries")).setEnabled(False)

    def _action(self, past: PastQuery) -> QAction:
        shown = caption(isolated(short_text(past.text)))
        action = QAction("\t".join(part for part in (shown, _found(past)) if part), self.menu())
        action.setToolTip(tip("\n".join((short_text(past.text, 400), *options_of(past)))))
        action.triggered.connect(lambda: self.chosen.emit(past))
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
    if past.distance is not None and past.distance != 100:
        lines.append(tr("within {distance}", distance=counted("token", past.distance)))
    return lines + [tr("only where {condition}", condition=isolated(str(condition))) for condition in past.filters]


def _how(matching: Matching) -> list[str]:
    if matching.match != "tokens":
        kind = [tr("regular expression")] if matching.match == "regex" else []
        words = tr("whole words") if matching.whole_words else tr("parts of words too")
        return [*kind, words, *([tr("ignoring case")] if matching.ignore_case else [])]
    case = [tr("in lower, UPPER and Title case")] if "lower" in matching.variants else []
    return [tr("tokens"), *case, *([] if "space" in matching.variants else [tr("without a leading space")])]
