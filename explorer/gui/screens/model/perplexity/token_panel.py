"""One token of the Perplexity tab: its levels in the corpus, and places of the longest one that it follows."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.gui.presenting.cells import Cell
from explorer.gui.screens.model.perplexity.state import PerplexityState
from explorer.gui.screens.model.perplexity.surprise_text import described
from explorer.gui.screens.model.perplexity.token_work import TokenFacts
from explorer.gui.screens.model.perplexity.work import borders
from explorer.gui.screens.screen import label
from explorer.gui.style.text_positions import one_line
from explorer.gui.style.theme import em, scaled
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.notices.dimmed import Dimmer
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable
from explorer.i18n import mark, numeral, tr, trn
from explorer.text.graphemes import ending

_HEADER = (mark("n"), mark("Context"), mark("Followed"), mark("By this"))
_TIPS = (
    mark("Tokens of the context"),
    mark("The end of the text before the token"),
    mark("How often any token follows this context"),
    mark("How often this token follows it"),
)
_PLACES = (mark("Document"), mark("Token"), mark("Place"))
_LONGEST = 60


class TokenPanel(QWidget):
    """`search_wanted(str)`: the lines of this text are wanted."""

    search_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._query = ""
        self.search = push_button(tr("Show in Search"), "quiet", "chevron-right")
        self.panel = Panel(tr("Levels of a token"), actions=(self.search,))
        self.hint = label(tr("Click a token to see its contexts in the corpus, and where they occur."), "muted")
        self.figures = label("", "small")
        for each in (self.hint, self.figures):
            each.setWordWrap(True)
        self.levels, self.places = PlainModel(self), PlainModel(self)
        self.level_table = PlainTable(self.levels, tr("Levels of the token"), wide=(1,))
        self.place_table = PlainTable(self.places, tr("Places in the corpus"), wide=(2,))
        self._lay_out()
        self.search.clicked.connect(lambda: self.search_wanted.emit(self._query))
        self.stale = Dimmer(self.level_table, self.place_table, parent=self)

    def _lay_out(self) -> None:
        column = QVBoxLayout()
        column.setContentsMargins(scaled(16), scaled(8), scaled(16), scaled(8))
        column.addWidget(self.hint)
        column.addWidget(self.figures)
        self.panel.body.addLayout(column)
        self.panel.hold(self.level_table)
        self.panel.hold(self.place_table)
        # Below the hint, while the tables are hidden.
        self.panel.body.addStretch(0)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.panel)

    def draw(self, state: PerplexityState, before: PerplexityState | None) -> None:
        """Show the token of a state.

        before: The one that was drawn before; None for the first.
        """
        if before is not None and (state.facts, state.token) == (before.facts, before.token):
            return
        found = state.facts.value if state.token is not None else None
        self.hint.setVisible(found is None)
        for widget in (self.figures, self.level_table, self.place_table, self.search):
            widget.setVisible(found is not None)
        self.stale.set_stale(state.facts.dimmed, at_once=not state.facts.awaited)
        if found is None:
            self.panel.set_title(tr("Levels of a token"))
            return
        self._show(found, state)

    def _show(self, found: TokenFacts, state: PerplexityState) -> None:
        # The token as it is in the text, not as the tokenizer spells it.
        starts, ends = borders(found.text)
        at = len(starts) - len(found.text.scores) + found.token
        words = one_line(found.text.text[int(starts[at]) : int(ends[at])])
        self.panel.set_title(tr("Levels of “{token}”", token=words))
        about = described(found.text, found.token, state.method.normalised)
        left = found.left_out
        more = (
            ""
            if not left
            else trn("; {n:,} shorter level is not listed", "; {n:,} shorter levels are not listed", left)
        )
        self.figures.setText(about + more)
        rows = [
            (
                Cell(numeral(row.n), right=True),
                Cell(_end_of(row.context), tip=row.context[-400:]) if row.n else Cell(tr("(empty)"), muted=True),
                Cell(numeral(row.followed), right=True),
                Cell(numeral(row.times), right=True, muted=not row.times),
            )
            for row in found.levels
        ]
        self.levels.show(tuple(map(tr, _HEADER)) if rows else (), rows, tuple(map(tr, _TIPS)))
        places = [
            (
                Cell(numeral(place.document + 1), right=True, muted=True),
                Cell(numeral(place.offset + 1), right=True, muted=True),
                Cell(place.match + place.after, before=place.before, tip=place.before + place.match + place.after),
            )
            for place in found.places
        ]
        # A token that follows no context has no place.
        self.place_table.setVisible(bool(places))
        self.places.show(tuple(map(tr, _PLACES)) if places else (), places)
        self._query = found.query
        # Search looks for no spaces alone.
        self.search.setEnabled(bool(found.query.strip()))

    def minimumSizeHint(self) -> QSize:
        """Room for its columns, and for some rows of both tables."""
        return QSize(em(20), em(19))


def _end_of(text: str) -> str:
    shown = one_line(ending(text, _LONGEST))
    return f"…{shown}" if len(text) > _LONGEST else shown
