"""The line above the tabs: how many lines are listed, of what, the filters, and how the tokenizer cut the hits."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from explorer.gui.help.topics import about
from explorer.gui.screens.screen import label
from explorer.gui.screens.search.activity import Activity, short_line
from explorer.gui.screens.search.filters.chips import FilterChips
from explorer.gui.screens.search.presenter import SearchPresenter
from explorer.gui.screens.search.query.cut_chips import CutChips
from explorer.gui.screens.search.state import SearchState
from explorer.gui.style.theme import chrome, em
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.i18n import tr

_GAP, _UNIT_GAP = 12, 6
_LEAST_WIDE = 24
_LEAST_EMS = 10
"""Room that filters leave for the facts."""


class AnswerLine(QWidget):
    """The large number counts what is listed; the text beside it states its unit."""

    def __init__(self, presenter: SearchPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        about(self, "search#lines")
        self.count = label("", "figure")
        self.unit = label("", "muted")
        self.details = short_line("muted", "·")
        self.problem = short_line("error")
        self.filters = FilterChips(presenter.filters)
        self.cuts = about(CutChips(), "search#text-and-tokens")
        self.activity = Activity()
        self.activity.changed.connect(self._share)
        self.exact = push_button(tr("Make exact"), "quiet")
        self.exact.setToolTip(tr("Check every occurrence of the centered phrase (can be cancelled)"))
        self.exact.clicked.connect(lambda: presenter.query.run(exact=True))
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(_GAP)
        headline = QHBoxLayout()
        # The number and its unit are read as one.
        headline.setSpacing(_UNIT_GAP)
        headline.addWidget(self.count)
        headline.addWidget(self.unit)
        self._row.addLayout(headline)
        for part in (self.details, self.problem, self.exact, self.filters):
            self._row.addWidget(part)
        self._row.addStretch(1)
        self._row.addWidget(self.cuts)
        self._row.addWidget(self.activity)
        self._stale = Dimmer(self.count, self.unit, self.details, self.cuts, parent=self)

    def draw(self, state: SearchState, before: SearchState | None) -> None:
        """Show what was found, as far as it is known.

        before: The one that was drawn before; None for the first.
        """
        count, unit = state.headline
        self.count.setText(count)
        self.unit.setText(unit)
        self.unit.setToolTip(tip(state.read_as))
        self.details.setText(state.details)
        self.problem.setText(state.query.problem.message)
        # One or the other: both would need the same place.
        self.details.setVisible(not self.problem.text())
        self.problem.setVisible(bool(self.problem.text()))
        # Its form has lists and fields, which are drawn while it is closed, too: not for every answer.
        if before is None or state.filters is not before.filters:
            self.filters.draw(state.filters, None if before is None else before.filters)
        self.filters.setVisible(state.has_filters)
        self.cuts.show_cuts(state.facts.cuts, state.facts.other_cuts)
        self.exact.setVisible(state.estimated)
        self.activity.say(state.message)
        self._stale.set_stale(state.query.answer.dimmed, at_once=not state.query.answer.awaited)
        # After all texts, since the room is divided by what they want.
        self._share()

    def minimumSizeHint(self) -> QSize:
        """Narrow: what has no room is left out, which is decided only when the width is known."""
        # As high as its texts, also above a page that would take the rest; and as its buttons, before there is a count.
        return QSize(em(_LEAST_WIDE), max(super().minimumSizeHint().height(), chrome(28)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Distribute the width again."""
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        """Filters come first, then the facts, then the cuts, of which at least the number is shown.

        What the screen is doing takes the place of the cuts.
        """
        # Progress before cuts: someone waits for it.
        doing = self.activity.needed
        self.activity.setVisible(bool(doing))
        self.cuts.allow(not doing)
        # By what they want: their present widths follow from an earlier division.
        fixed = [part for part in (self.count, self.unit, self.exact) if not part.isHidden()]
        room = self.width() - sum(part.sizeHint().width() + _GAP for part in fixed)
        least = doing + _GAP if doing else 0 if self.cuts.isHidden() else self.cuts.least + _GAP
        facts = self.problem if self.problem.text() else self.details
        if not self.filters.isHidden():
            wanted = min(facts.sizeHint().width(), em(_LEAST_EMS))
            room -= self.filters.use_room(room - least - wanted - 2 * _GAP) + _GAP
        # Not its fixed width, which would hold the whole page to it when the window gets narrower.
        facts.setMaximumWidth(max(0, min(facts.sizeHint().width(), room - least - _GAP)))
        self.cuts.set_room(room - facts.maximumWidth() - _GAP)
        # It elides its sentence; wider than the room, its button would be cut.
        self.activity.setFixedWidth(max(1, min(doing, room - facts.maximumWidth() - 2 * _GAP)))
